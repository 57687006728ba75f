package adaptertest

import (
	"context"
	"errors"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// calls makes every call of the contract once; those of Control only where
// they work.
func (e *env) calls(ctx context.Context, lease adapter.Lease) map[string]func() error {
	all := map[string]func() error{
		"Send":   func() error { return e.a.Send(ctx, q, texts("sent")...) },
		"Settle": func() error { return e.a.Settle(ctx, q, adapter.Settlement{Lease: lease}) },
		"Extend": func() error { return e.a.Extend(ctx, q, time.Hour, lease) },
		"Receive": func() error {
			_, err := e.a.Receive(ctx, q, adapter.ReceiveOptions{Max: 5})
			return err
		},
		"waiting Receive": func() error {
			_, err := e.a.Receive(ctx, "empty", adapter.ReceiveOptions{Max: 5, Wait: e.ticks(50)})
			return err
		},
	}
	if !e.caps.Control {
		return all
	}
	all["Queues"] = func() error { _, err := e.a.Queues(ctx); return err }
	all["Configure"] = func() error {
		return e.a.Configure(ctx, q, func(s *adapter.Settings) { s.Paused = true })
	}
	all["Purge"] = func() error { _, err := e.a.Purge(ctx, q); return err }
	all["Peek"] = func() error { _, err := e.a.Peek(ctx, q, 1); return err }
	all["Stats"] = func() error { _, err := e.a.Stats(ctx, q); return err }
	all["Delete"] = func() error { return e.a.Delete(ctx, q) }
	return all
}

var contextTests = []test{
	{name: "one that has ended lets nothing happen", run: func(e *env) {
		e.send(q, "leased", "ready")
		ds := e.receive(q, 1)
		ctx, cancel := context.WithCancel(e.ctx)
		cancel()
		for name, call := range e.calls(ctx, ds[0].Lease) {
			e.failed(name, call(), context.Canceled)
		}
		e.counts(q, 1, 0, 1)
		e.take(q, "ready")
		e.settle(q, ack(ds...)...)
		e.take(q)
	}},
	{name: "ending wakes a waiting Receive", run: func(e *env) {
		e.cancelled(func() {})
		e.wakes(1, func() { e.send(q, "x") })
	}},
	{name: "ending wakes a lingering Receive, which leases nothing", run: func(e *env) {
		e.cancelled(func() { e.send(q, "a", "b") })
		e.counts(q, 2, 0, 0)
		e.attempts(e.take(q, "a", "b"), 1)
	}},
	{name: "a deadline ends a waiting Receive", run: func(e *env) {
		start := time.Now()
		ctx, cancel := context.WithTimeout(e.ctx, e.ticks(2))
		defer cancel()
		_, err := e.a.Receive(ctx, q, adapter.ReceiveOptions{Wait: e.ticks(50)})
		e.failed("Receive", err, context.DeadlineExceeded)
		e.took(start, 2)
	}},
	{name: "a Receive that ends as a message arrives loses none", run: func(e *env) {
		// Either the call returned the message or it is still there, once.
		for range 50 {
			ctx, cancel := context.WithCancel(e.ctx)
			done := make(chan int)
			go func() {
				ds, err := e.a.Receive(ctx, q, adapter.ReceiveOptions{Max: 2, Wait: e.ticks(50), Lease: e.ticks(3600)})
				if err != nil && (len(ds) > 0 || !errors.Is(err, context.Canceled)) {
					e.Errorf("Receive: %d messages and error %v", len(ds), err)
				}
				if err == nil {
					e.settle(q, ack(ds...)...)
				}
				done <- len(ds)
			}()
			go cancel()
			e.send(q, "a")
			got := <-done
			rest := e.receive(q, 5)
			if got+len(rest) != 1 {
				e.Fatalf("%d messages were received and %d left, want one in all", got, len(rest))
			}
			e.attempts(rest, 1)
			e.settle(q, ack(rest...)...)
		}
	}},
}

// cancelled ends the context of a waiting Receive after a tick.
func (e *env) cancelled(before func()) {
	e.Helper()
	start := time.Now()
	before()
	ctx, cancel := context.WithCancel(e.ctx)
	e.at(1, cancel)
	ds, err := e.a.Receive(ctx, q, adapter.ReceiveOptions{Max: 10, Linger: e.ticks(50), Wait: e.ticks(50)})
	e.failed("Receive", err, context.Canceled)
	if len(ds) > 0 {
		e.Errorf("it returned %d messages as well", len(ds))
	}
	e.took(start, 1)
}
