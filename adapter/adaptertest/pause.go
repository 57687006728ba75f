package adaptertest

import (
	"errors"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

var pauseTests = []test{
	{name: "Receive says so at once", needs: control, run: func(e *env) {
		e.send(q, "a")
		start := time.Now()
		for _, queue := range []string{q, "empty"} {
			e.configure(queue, func(s *adapter.Settings) { s.Paused = true })
			_, err := e.a.Receive(e.ctx, queue, adapter.ReceiveOptions{Max: 3, Linger: e.ticks(50), Wait: e.ticks(50)})
			e.failed("Receive", err, adapter.ErrPaused)
		}
		e.took(start, 0)
	}},
	{name: "ends a waiting Receive", needs: control, run: func(e *env) { e.pauseWakes(func() {}) }},
	{name: "ends a lingering Receive, which leases nothing", needs: control, run: func(e *env) {
		e.pauseWakes(func() { e.send(q, "a", "b") })
		e.counts(q, 2, 0, 0)
	}},
	{name: "all else goes on", needs: control, run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		ds := e.short(q)
		e.configure(q, func(s *adapter.Settings) { s.Paused = true })
		e.send(q, "e")
		e.settle(q, append(ack(ds[0]), retry(0, ds[1])...)...)
		e.settle(q, move("dead", ds[2])...)
		e.extend(3600, ds[3])
		e.counts(q, 2, 0, 1)
		if _, err := e.a.Peek(e.ctx, q, 1); err != nil {
			e.Errorf("Peek: %v", err)
		}
		e.take("dead", "c")
		e.configure(q, func(s *adapter.Settings) { s.Paused = false })
		e.take(q, "e", "b")
	}},
	{name: "a resumed queue delivers and wakes again", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) { s.Paused = true })
		e.configure(q, func(s *adapter.Settings) { s.Paused = false })
		e.wakes(1, func() { e.send(q, "x") })
	}},
}

// pauseWakes pauses the queue under three waiting calls.
func (e *env) pauseWakes(before func()) {
	e.Helper()
	start := time.Now()
	before()
	errs := make(chan error, 3)
	for range cap(errs) {
		go func() {
			ds, err := e.a.Receive(e.ctx, q, adapter.ReceiveOptions{Max: 10, Linger: e.ticks(50), Wait: e.ticks(50)})
			if err == nil && len(ds) == 0 {
				err = errors.New("it returned empty")
			}
			errs <- err
		}()
	}
	e.sleep(1)
	e.configure(q, func(s *adapter.Settings) { s.Paused = true })
	for range cap(errs) {
		e.failed("Receive", <-errs, adapter.ErrPaused)
	}
	e.took(start, 1)
}
