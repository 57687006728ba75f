package adaptertest

import (
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// gather are the options of the platform's example: 5 messages or two ticks.
func (e *env) gather() adapter.ReceiveOptions {
	return adapter.ReceiveOptions{Max: 5, Linger: e.ticks(2), Wait: e.ticks(100), Lease: e.ticks(3600)}
}

var lingerTests = []test{
	{name: "12 messages, Max 5, Linger 2: 5 and 5 at once, 2 at two (B-21, B-25)", run: func(e *env) {
		start := time.Now()
		e.send(q, numbered("m", 12)...)
		e.bodies(e.receiveWith(q, e.gather()), "m0", "m1", "m2", "m3", "m4")
		e.bodies(e.receiveWith(q, e.gather()), "m5", "m6", "m7", "m8", "m9")
		e.took(start, 0)
		e.bodies(e.receiveWith(q, e.gather()), "m10", "m11")
		e.took(start, 2)
	}},
	{name: "counts from when the first was ready, not from the call", run: func(e *env) {
		start := time.Now()
		e.send(q, "a")
		e.sleep(1)
		e.bodies(e.receiveWith(q, e.gather()), "a")
		e.took(start, 2)
		e.send(q, "b")
		e.sleep(3)
		start = time.Now()
		e.bodies(e.receiveWith(q, e.gather()), "b")
		e.took(start, 0)
	}},
	{name: "later messages do not reset it", run: func(e *env) {
		start := time.Now()
		e.at(1, func() { e.send(q, "a") })
		e.at(2, func() { e.send(q, "b") })
		e.at(2.5, func() { e.send(q, "c") })
		e.bodies(e.receiveWith(q, e.gather()), "a", "b", "c")
		e.took(start, 3)
	}},
	{name: "Max ends it", run: func(e *env) {
		start := time.Now()
		e.send(q, "a", "b", "c")
		e.at(1, func() { e.send(q, "d", "e", "f") })
		e.bodies(e.receiveWith(q, e.gather()), "a", "b", "c", "d", "e")
		e.took(start, 1)
		e.bodies(e.receiveWith(q, e.gather()), "f")
		e.took(start, 3)
	}},
	{name: "Max ends it when a delayed message is due", run: func(e *env) {
		start := time.Now()
		e.send(q, "a", "b", "c")
		e.sendMessages(q, delayed(e.ticks(50), "never"))
		e.at(0.5, func() { e.sendMessages(q, delayed(e.ticks(0.5), "d"), delayed(e.ticks(0.5), "e")) })
		e.bodies(e.receiveWith(q, e.gather()), "a", "b", "c", "d", "e")
		e.took(start, 1)
	}},
	{name: "each call has its own", run: func(e *env) {
		start := time.Now()
		e.send(q, "a", "b", "c")
		long := e.gather()
		long.Linger = e.ticks(6)
		var wg sync.WaitGroup
		wg.Go(func() {
			e.bodies(e.receiveWith(q, long), "d")
			e.took(start, 9)
		})
		e.sleep(1)
		e.bodies(e.receiveWith(q, e.gather()), "a", "b", "c")
		e.took(start, 2)
		e.sleep(1)
		e.send(q, "d")
		wg.Wait()
	}},
	{name: "works without Wait and beyond it", run: func(e *env) {
		for _, wait := range []float64{0, 1} {
			start := time.Now()
			e.send(q, "a")
			o := e.gather()
			o.Wait = e.ticks(wait)
			e.bodies(e.receiveWith(q, o), "a")
			e.took(start, 2)
		}
		start := time.Now()
		e.at(0.5, func() { e.send(q, "b") })
		o := e.gather()
		o.Wait = e.ticks(1)
		e.bodies(e.receiveWith(q, o), "b")
		e.took(start, 2.5)
	}},
	{name: "counts from the due time of a delayed message", run: func(e *env) {
		start := time.Now()
		e.sendMessages(q, delayed(e.ticks(1), "a"))
		e.bodies(e.receiveWith(q, e.gather()), "a")
		e.took(start, 3)
		start = time.Now()
		e.sendMessages(q, delayed(e.ticks(1), "b"))
		e.sleep(2)
		e.bodies(e.receiveWith(q, e.gather()), "b")
		e.took(start, 3)
	}},
	{name: "counts from the end of a lease", run: func(e *env) {
		start := time.Now()
		e.send(q, "a")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Lease: e.ticks(1)}), "a")
		e.bodies(e.receiveWith(q, e.gather()), "a")
		e.took(start, 3)
	}},
	{name: "attempts at 2, 5 and 8, then the dead-letter queue (B-26, B-27)", run: func(e *env) {
		start := time.Now()
		e.send(q, "a", "b")
		for i, at := range []float64{2, 5, 8} {
			ds := e.receiveWith(q, e.gather())
			e.bodies(ds, "a", "b")
			e.attempts(ds, i+1)
			e.took(start, at)
			if at < 8 {
				e.settle(q, retry(e.ticks(1), ds...)...)
				continue
			}
			e.settle(q, move("dead", ds...)...)
		}
		ds := e.receiveWith("dead", e.gather())
		e.bodies(ds, "a", "b")
		e.attempts(ds, 1)
		e.took(start, 10)
	}},
	{name: "leases nothing while it lingers", needs: control, run: func(e *env) {
		e.at(1, func() { e.counts(q, 2, 0, 0) })
		e.send(q, "a", "b")
		o := e.gather()
		o.Linger = e.ticks(20)
		e.bodies(e.receiveWith(q, o), "a", "b")
	}},
	{name: "a message taken by another leaves it waiting", run: func(e *env) {
		start := time.Now()
		e.send(q, "a")
		e.at(1, func() { e.bodies(e.receive(q, 1), "a") })
		o := e.gather()
		o.Wait = e.ticks(4)
		e.bodies(e.receiveWith(q, o))
		e.took(start, 4)
		start = time.Now()
		e.send(q, "b")
		e.at(1, func() { e.bodies(e.receive(q, 1), "b") })
		o.Wait = e.ticks(0.5) // passes while it lingers
		e.bodies(e.receiveWith(q, o))
		if took := time.Since(start); took > e.ticks(2)+e.slack {
			e.Errorf("it took %v, want no more than Linger", took)
		}
	}},
	{name: "two that linger do not share a message", run: func(e *env) {
		e.send(q, "a", "b")
		var got [2]int
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				o := e.gather()
				o.Wait = e.ticks(4)
				got[i] = len(e.receiveWith(q, o))
			})
		}
		wg.Wait()
		if got[0]*got[1] != 0 || got[0]+got[1] != 2 {
			e.Errorf("the two received %v messages, want both in one", got)
		}
	}},
}
