package consumer

import (
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

// handle sees one received batch through: what its workers died on is buried,
// the messages that can go together are one event, and each of the others has
// one after that. Events that have not started when Run stops never do.
func (e *engine) handle(p phases, ds []adapter.Delivery) {
	e.Observe(Event{Kind: Received, Queue: e.Queue, Messages: len(ds)})
	h := e.hold(p, ds)
	defer h.drop()
	if len(h.dead.deliveries)+len(h.events) > 1 {
		defer e.giveBackEarly(p, h)()
	}
	e.bury(p, h)
	for !p.stopping() {
		pt := h.next()
		if pt == nil {
			return
		}
		e.event(p, h, pt)
	}
	e.giveBack(p, h)
}

// event runs the handler on one part and settles it.
func (e *engine) event(p phases, h *holding, pt *part) {
	ctx, cancel := context.WithCancelCause(p.events)
	defer cancel(nil)
	if !h.begin(pt, cancel) {
		e.observe(Event{Kind: Skipped}, slices.Repeat([]end{lost}, len(pt.deliveries)))
		return
	}
	b := batch.New(e.Queue, pt.deliveries)
	began := time.Now()
	err := e.invoke(ctx, b)
	took := time.Since(began)
	h.settling(pt)
	cause := context.Cause(ctx)
	cancel(nil)
	e.logEvent(b, err, cause)
	if err == nil {
		err = cause
	}
	policy := e.policy
	policy.Hurried = p.events.Err() != nil
	list := b.Outcome(err != nil, policy)
	e.clamp(list)
	ends := make([]end, len(list))
	for i, s := range list {
		ends[i] = endOf(s, b.Mark(i), err != nil)
	}
	e.settle(p, h, pt, list, ends)
	e.observe(Event{Kind: Ended, Duration: took, Err: err}, ends)
}

// invoke calls the handler; a panic is an error.
func (e *engine) invoke(ctx context.Context, b *batch.Batch) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &panicked{v, debug.Stack()}
		}
	}()
	return e.Handler(ctx, b)
}

// panicked is a handler's panic as the error it is for its event.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprint("panic: ", p.value) }

// bury settles messages whose workers died on them every time.
func (e *engine) bury(p phases, h *holding) {
	e.skip(p, h, &h.dead, func(d adapter.Delivery) (adapter.Settlement, end) {
		s := e.policy.Bury(d)
		return s, endOf(s, batch.Mark{}, true)
	})
}

// giveBack settles what has not started as though it had never been received.
func (e *engine) giveBack(p phases, h *holding) {
	e.skip(p, h, h.rest(), func(d adapter.Delivery) (adapter.Settlement, end) {
		return adapter.Settlement{Lease: d.Lease, Do: adapter.Retry, Uncounted: true}, released
	})
}

// giveBackEarly does it when Run stops, even if the worker is then in an event.
// The function it returns ends that, and waits for it where it has begun.
func (e *engine) giveBackEarly(p phases, h *holding) func() {
	done := make(chan struct{})
	stop := context.AfterFunc(p.receive, func() {
		defer close(done)
		e.giveBack(p, h)
	})
	return func() {
		if !stop() {
			<-done
		}
	}
}

// skip settles a part without running the handler.
func (e *engine) skip(p phases, h *holding, pt *part, how func(adapter.Delivery) (adapter.Settlement, end)) {
	if len(pt.deliveries) == 0 {
		return
	}
	h.settling(pt)
	list := make([]adapter.Settlement, len(pt.deliveries))
	ends := make([]end, len(list))
	for i, d := range pt.deliveries {
		list[i], ends[i] = how(d)
	}
	e.settle(p, h, pt, list, ends)
	e.observe(Event{Kind: Skipped}, ends)
}

// clamp shortens delays that the store would refuse for ever.
func (e *engine) clamp(list []adapter.Settlement) {
	if e.maxDelay <= 0 {
		return
	}
	for i := range list {
		list[i].Delay = min(list[i].Delay, e.maxDelay)
	}
}

func (e *engine) observe(ev Event, ends []end) {
	ev.Queue, ev.Messages = e.Queue, len(ends)
	for _, x := range ends {
		ev.add(x)
	}
	e.Observe(ev)
}
