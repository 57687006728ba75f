package adaptertest

import (
	"errors"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

var settleTests = []test{
	{name: "ack removes", run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.short(q)
		e.settle(q, ack(ds[1])...)
		e.settle(q, ack(ds[0], ds[2])...)
		e.counts(q, 0, 0, 0)
		e.sleep(1.3)
		e.take(q)
	}},
	{name: "ack works in any order", run: func(e *env) {
		e.send(q, numbered("m", 10)...)
		e.send(q, "x")
		ds := e.short(q)
		for i := len(ds) - 1; i >= 0; i -= 2 {
			e.settle(q, ack(ds[i])...)
		}
		e.settle(q, ack(ds[9], ds[1], ds[5], ds[3], ds[7])...)
		e.sleep(1.3)
		e.take(q)
	}},
	{name: "without items does nothing", run: func(e *env) {
		e.settle(q)
		e.send(q, "a")
		e.settle(q)
		e.take(q, "a")
	}},
	{name: "retry puts behind those waiting", run: func(e *env) {
		e.send(q, "a", "b")
		e.send(q, "c", "d")
		ds := e.receive(q, 2)
		e.send(q, "e")
		e.settle(q, retry(0, ds...)...)
		e.send(q, "f")
		e.attempts(e.receive(q, 3), 1) // c d e
		again := e.receive(q, 2)
		e.bodies(again, "a", "b")
		e.attempts(again, 2)
		e.take(q, "f")
	}},
	{name: "retry waits its delay", run: func(e *env) {
		start := time.Now()
		e.send(q, "a", "b")
		ds := e.receive(q, 2)
		e.settle(q, append(retry(e.ticks(2), ds[0]), retry(e.ticks(1), ds[1])...)...)
		e.counts(q, 0, 2, 0)
		e.take(q)
		o := adapter.ReceiveOptions{Max: 5, Wait: e.ticks(100), Lease: e.ticks(3600)}
		for i, b := range []string{"b", "a"} {
			ds := e.receiveWith(q, o)
			e.bodies(ds, b)
			e.attempts(ds, 2)
			e.took(start, float64(i+1))
		}
	}},
	{name: "attempts count every delivery exactly", run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		for i := range 6 {
			ds := e.receive(q, 4)
			e.bodies(ds, "a", "b", "c", "d")
			e.attempts(ds, i+1)
			e.settle(q, retry(0, ds...)...)
		}
	}},
	{name: "retried together they keep order and come together", run: func(e *env) {
		bodies := numbered("m", 10)
		e.send(q, bodies[:4]...)
		e.send(q, bodies[4])
		e.send(q, bodies[5:]...)
		ds := e.receive(q, 10)
		e.bodies(ds, bodies...)
		e.settle(q, retry(e.ticks(1), ds...)...)
		again := e.receiveWith(q, adapter.ReceiveOptions{Max: 10, Wait: e.ticks(100)})
		e.bodies(again, bodies...)
		e.attempts(again, 2)
	}},
	{name: "ack 0, retry 1, leave 2 (A-60)", run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.short(q)
		e.settle(q, append(ack(ds[0]), retry(0, ds[1])...)...)
		e.attempts(e.take(q, "b"), 2)
		e.counts(q, 0, 0, 2)
		e.sleep(1.3)
		e.attempts(e.take(q, "c"), 2)
	}},
	{name: "the caller's list stays the caller's", run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 2)
		s := append(move("dead", ds[0]), retry(e.ticks(1), ds[1])...)
		e.settle(q, s...)
		clear(s)
		clear(ds)
		e.take("dead", "a")
		e.sleep(1.3)
		e.take(q, "b")
	}},
	{name: "an unknown action is an error and changes nothing", run: func(e *env) {
		e.refuses(adapter.Settlement{Do: adapter.Move + 1})
	}},
	{name: "a move to nowhere is an error and changes nothing", run: func(e *env) {
		e.refuses(adapter.Settlement{Do: adapter.Move})
	}},
}

// refuses checks that a settlement like s is an error of its item only, not
// a lost lease, and leaves that item as it was.
func (e *env) refuses(s adapter.Settlement) {
	e.Helper()
	e.send(q, "a", "b", "c")
	ds := e.receive(q, 3)
	bad := s
	bad.Lease = ds[1].Lease
	err := e.a.Settle(e.ctx, q, ack(ds[0])[0], bad, retry(0, ds[2])[0])
	var p *adapter.PartialError
	if !errors.As(err, &p) || len(p.Items) != 1 || p.Items[0].Index != 1 || errors.Is(err, adapter.ErrLeaseLost) {
		e.Errorf("error %v, want one for item 1 that is no lost lease", err)
	}
	e.take(q, "c")
	e.counts(q, 0, 0, 2)
	e.settle(q, ack(ds[1])...)
	e.counts(q, 0, 0, 1)
}
