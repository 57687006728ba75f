package adaptertest

import "github.com/wazqueue/wazqueue/adapter"

// uncountedTests: a release leaves attempts as they were (C-45).
var uncountedTests = []test{
	{name: "the next delivery carries the same number", run: func(e *env) {
		e.send(q, "a", "b", "c")
		for range 5 {
			ds := e.receive(q, 3)
			e.bodies(ds, "a", "b", "c")
			e.attempts(ds, 1)
			e.settle(q, release(0, ds...)...)
		}
		ds := e.receive(q, 3)
		e.settle(q, retry(0, ds...)...)
		for range 3 {
			ds = e.receive(q, 3)
			e.attempts(ds, 2)
			e.settle(q, release(0, ds...)...)
		}
	}},
	{name: "waits its delay and goes behind those waiting", run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 1)
		e.settle(q, release(e.ticks(1), ds...)...)
		e.counts(q, 1, 1, 0)
		e.bodies(e.receive(q, 2), "b")
		e.sleep(1.3)
		e.attempts(e.take(q, "a"), 1)
	}},
	{name: "applies to its own item only", run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		ds := e.receive(q, 4)
		s := append(retry(0, ds[0]), release(0, ds[1])...)
		s = append(append(s, retry(0, ds[2])...), release(0, ds[3])...)
		e.settle(q, s...)
		got := e.take(q, "a", "b", "c", "d") // retried together, so in order
		for i, want := range []int{2, 1, 2, 1} {
			if got[i].Attempts != want {
				e.Errorf("%s: attempts %d, want %d", got[i].Body, got[i].Attempts, want)
			}
		}
	}},
	{name: "after an expired lease", run: func(e *env) {
		e.send(q, "a")
		e.short(q)
		e.sleep(1.3)
		ds := e.receive(q, 1)
		e.attempts(ds, 2)
		e.settle(q, release(0, ds...)...)
		ds = e.take(q, "a")
		e.attempts(ds, 2)
	}},
	{name: "keeps identity and origin", run: func(e *env) {
		e.send("first", "a")
		e.settle("first", move(q, e.take("first", "a")...)...)
		ds := e.take(q, "a")
		e.settle(q, release(0, ds...)...)
		again := e.take(q, "a")
		e.sameMessages(ds, again)
		if want := (adapter.Origin{Queue: "first", Attempts: 1}); again[0].Origin != want {
			e.Errorf("origin %+v, want %+v", again[0].Origin, want)
		}
	}},
}
