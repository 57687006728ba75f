package adaptertest

import (
	"sync"

	"github.com/wazqueue/wazqueue/adapter"
)

var receiveTests = []test{
	{name: "Max defaults to one", run: func(e *env) {
		e.send(q, "a", "b")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{}), "a")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{}), "b")
	}},
	{name: "Max is a limit (B-21)", run: func(e *env) {
		e.send(q, numbered("m", 12)...)
		e.bodies(e.receive(q, 5), "m0", "m1", "m2", "m3", "m4")
		e.bodies(e.receive(q, 5), "m5", "m6", "m7", "m8", "m9")
		e.bodies(e.receive(q, 5), "m10", "m11")
	}},
	{name: "Max gathers from several sends", run: func(e *env) {
		e.send(q, "a")
		e.send(q, "b", "c", "d")
		e.send(q, "e")
		e.send(q, "f", "g")
		e.bodies(e.receive(q, 3), "a", "b", "c")
		e.bodies(e.receive(q, 3), "d", "e", "f")
		e.bodies(e.receive(q, 3), "g")
	}},
	{name: "what is leased is not delivered again", run: func(e *env) {
		e.send(q, "a", "b")
		e.bodies(e.receive(q, 1), "a")
		e.take(q, "b")
		e.take(q)
	}},
	{name: "leases exactly what it returns", needs: control, run: func(e *env) {
		e.send(q, numbered("m", 100)...)
		e.counts(q, 100, 0, 0)
		e.bodies(e.receive(q, 1), "m0")
		e.counts(q, 99, 0, 1)
		e.bodies(e.receive(q, 4), "m1", "m2", "m3", "m4")
		e.counts(q, 95, 0, 5)
	}},
	{name: "nothing is set aside for the next call", run: func(e *env) {
		e.send(q, numbered("m", 50)...)
		e.bodies(e.receive(q, 1), "m0")
		if e.caps.Shared {
			b := e.open()
			ds, err := b.Receive(e.ctx, q, adapter.ReceiveOptions{Max: 100})
			if err != nil || len(ds) != 49 {
				e.Errorf("the second adapter received %d, error %v, want 49", len(ds), err)
			}
			return
		}
		e.take(q, numbered("m", 50)[1:]...)
	}},
	{name: "the slice is the caller's and bodies have no room", run: func(e *env) {
		e.send(q, "one", "two", "three")
		ds := e.receiveWith(q, adapter.ReceiveOptions{Max: 3, Lease: e.ticks(1)})
		_ = append(ds[0].Body, "SCRIBBLE"...)
		e.bodies(ds, "one", "two", "three")
		clear(ds)
		e.sleep(1.3)
		again := e.take(q, "one", "two", "three")
		e.attempts(again, 2)
	}},
	{name: "queues are apart", run: func(e *env) {
		e.send("a", "in a")
		e.send("b", "in b")
		e.take("c")
		e.take("b", "in b")
		e.take("a", "in a")
	}},
	{name: "concurrent receivers share without overlap", run: func(e *env) {
		const n = 300
		e.send(q, numbered("m", n)...)
		var (
			mu   sync.Mutex
			seen = map[string]int{}
			wg   sync.WaitGroup
		)
		for i := range 8 {
			wg.Go(func() {
				for {
					ds := e.receive(q, 1+i*3)
					if len(ds) == 0 {
						return
					}
					mu.Lock()
					for _, d := range ds {
						seen[string(d.Body)]++
					}
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		for b, k := range seen {
			if k != 1 {
				e.Errorf("%s was delivered %d times", b, k)
			}
		}
		if len(seen) != n {
			e.Errorf("%d messages arrived, want %d", len(seen), n)
		}
	}},
}
