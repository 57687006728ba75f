package sqlite

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// request is a call on its way through the writer. The caller waits for done
// and looks at it only then; if its context ends first it takes the request
// back, which it can until the writer has claimed it.
type request struct {
	state atomic.Int32
	done  chan struct{}
	err   error

	queue string
	msgs  []adapter.Message // of a send
	run   func(*tx) error   // of what is neither send nor receive
	receive
}

// receive is what a Receive asks for and gets.
type receive struct {
	waits      bool
	options    adapter.ReceiveOptions
	until      time.Time
	deliveries []adapter.Delivery
}

const (
	offered int32 = iota
	claimed
	takenBack
)

// claim takes the request over from its caller, if it is still there.
func (r *request) claim() bool { return r.state.CompareAndSwap(offered, claimed) }

func (r *request) gone() bool { return r.state.Load() == takenBack }

func (r *request) answer(err error) {
	r.err = err
	close(r.done)
}

// do hands a request to the writer and waits for it.
func (a *Adapter) do(ctx context.Context, what string, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	r.done = make(chan struct{})
	if !a.writer.offer(r) {
		return adapter.ErrClosed
	}
	select {
	case <-r.done:
	case <-ctx.Done():
		if r.state.CompareAndSwap(offered, takenBack) {
			a.writer.withdrawn()
			return ctx.Err()
		}
		<-r.done
	}
	if r.err == nil || errors.Is(r.err, adapter.ErrClosed) || errors.Is(r.err, adapter.ErrPaused) {
		return r.err
	}
	return a.wrap(what, r.err)
}

// idle is a call that has nothing to do.
func (a *Adapter) idle(ctx context.Context) error {
	if a.writer.stopped() {
		return adapter.ErrClosed
	}
	return ctx.Err()
}

// Receive implements adapter.Adapter.
func (a *Adapter) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	if err := checkName(queue); err != nil {
		return nil, err
	}
	o = o.WithDefaults()
	r := &request{queue: queue, receive: receive{waits: true, options: o, until: time.Now().Add(o.Wait)}}
	if err := a.do(ctx, "receive", r); err != nil {
		return nil, err
	}
	return r.deliveries, nil
}
