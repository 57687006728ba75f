package consumer

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

const (
	idleWait  = 20 * time.Second // how long one Receive waits on an empty queue
	pausePoll = time.Second      // settings take effect within two
	callTime  = 30 * time.Second // after which a call to the adapter is given up, beyond what it is to wait
	firstStep = 100 * time.Millisecond
	lastStep  = 5 * time.Second
)

// receive returns a batch, or nothing: none came, delivery is paused, the store
// cannot be reached, or receiving ends. The worker that waits sits out a pause
// or an outage for all.
func (e *engine) receive(p phases, t turn) []adapter.Delivery {
	o := adapter.ReceiveOptions{Max: e.MaxBatchSize, Linger: e.linger, Lease: e.Lease}
	if t == wait && !e.outage.on() {
		o.Wait = idleWait
	}
	ctx, cancel := context.WithTimeout(p.receive, o.Wait+o.Linger+callTime)
	ds, err := e.Adapter.Receive(ctx, e.Queue, o)
	cancel()
	pause := time.Duration(0)
	switch paused := errors.Is(err, adapter.ErrPaused); {
	case err == nil, paused:
		if since, tries := e.outage.over(); tries > 0 {
			e.Log.Info("receiving works again", "after", since, "failures", tries)
		}
		if paused {
			pause = pausePoll
		}
	case p.stopping():
	case errors.Is(err, adapter.ErrClosed):
		e.stop(err)
	default:
		tries := e.outage.failed()
		if tries == 1 {
			e.Log.Error("receiving failed, repeating until it works", "error", err)
		}
		pause = backoff(tries)
	}
	if t == wait && pause > 0 {
		sleep(p.receive, pause)
	}
	return ds
}

// outage is the time in which Receive fails.
type outage struct {
	mu    sync.Mutex
	since time.Time
	tries int
}

func (o *outage) on() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tries > 0
}

// failed counts a failure.
func (o *outage) failed() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.tries == 0 {
		o.since = time.Now()
	}
	o.tries++
	return o.tries
}

// over ends the outage and returns how long it was and its failures, 0 where
// there was none.
func (o *outage) over() (time.Duration, int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	tries := o.tries
	if tries == 0 {
		return 0, 0
	}
	o.tries = 0
	return time.Since(o.since), tries
}

// backoff is the pause after the given failure in a row, counted from 1. The
// random half keeps workers from coming back all at once.
func backoff(failure int) time.Duration {
	d := min(firstStep<<min(failure-1, 10), lastStep)
	return d/2 + rand.N(d/2)
}

// sleep waits for d or the end of ctx.
func sleep(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}
