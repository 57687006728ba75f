package adaptertest

import (
	"fmt"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

var moveTests = []test{
	{name: "keeps id and first time, restarts attempts, tells the origin (B-27)", run: func(e *env) {
		e.sendMessages(q, adapter.Message{Type: adapter.Bytes, Body: []byte{1, 0, 255}}, texts("t")[0])
		first := e.receive(q, 2)
		e.settle(q, retry(0, first...)...)
		e.sleep(0.2)
		second := e.receive(q, 2)
		e.attempts(second, 2)
		e.settle(q, move("dead", second...)...)
		e.take(q)
		e.sleep(0.2)
		got := e.receive("dead", 9)
		e.sameMessages(first, got)
		e.attempts(got, 1)
		for _, d := range got {
			if diff := cmp.Diff(adapter.Origin{Queue: q, Attempts: 2}, d.Origin); diff != "" {
				e.Errorf("origin (-want +got):\n%s", diff)
			}
		}
	}},
	{name: "the origin stays over retries and changes with the next move", run: func(e *env) {
		e.send(q, "a")
		e.settle(q, move("second", e.take(q, "a")...)...)
		for i := range 3 {
			ds := e.take("second", "a")
			e.attempts(ds, i+1)
			if want := (adapter.Origin{Queue: q, Attempts: 1}); ds[0].Origin != want {
				e.Errorf("origin %+v, want %+v", ds[0].Origin, want)
			}
			if i < 2 {
				e.settle("second", retry(0, ds...)...)
				continue
			}
			e.settle("second", move("third", ds...)...)
		}
		if got, want := e.take("third", "a")[0].Origin, (adapter.Origin{Queue: "second", Attempts: 3}); got != want {
			e.Errorf("origin %+v, want %+v", got, want)
		}
	}},
	{name: "goes behind those waiting", run: func(e *env) {
		e.send("dead", "x", "y")
		e.send(q, "a", "b")
		e.settle(q, move("dead", e.take(q, "a", "b")...)...)
		e.send("dead", "z")
		e.take("dead", "x", "y", "a", "b", "z")
	}},
	{name: "to its own queue", run: func(e *env) {
		e.send(q, "a", "b")
		first := e.receive(q, 1)
		e.settle(q, retry(0, first...)...)
		e.settle(q, ack(e.receive(q, 1)...)...)
		e.settle(q, move(q, e.take(q, "a")...)...)
		ds := e.take(q, "a")
		e.attempts(ds, 1)
		e.sameMessages(first, ds)
		if want := (adapter.Origin{Queue: q, Attempts: 2}); ds[0].Origin != want {
			e.Errorf("origin %+v, want %+v", ds[0].Origin, want)
		}
		e.counts(q, 0, 0, 1)
	}},
	{name: "to several queues in one call", run: func(e *env) {
		e.send(q, numbered("m", 9)...)
		ds := e.receive(q, 9)
		var s []adapter.Settlement
		for i, d := range ds {
			s = append(s, move(fmt.Sprintf("to%d", i%3), d)...)
		}
		e.settle(q, s...)
		e.take("to0", "m0", "m3", "m6")
		e.take("to1", "m1", "m4", "m7")
		e.take("to2", "m2", "m5", "m8")
	}},
	{name: "creates the queue", needs: control, run: func(e *env) {
		e.send(q, "a")
		e.settle(q, move("dead", e.take(q, "a")...)...)
		e.counts("dead", 1, 0, 0)
		e.counts(q, 0, 0, 0)
	}},
	{name: "the other queue's delivery delay applies, the settlement's does not", needs: control, run: func(e *env) {
		e.configure("dead", func(s *adapter.Settings) { s.DeliveryDelay = e.ticks(2) })
		start := time.Now()
		e.send(q, "a")
		s := move("dead", e.take(q, "a")...)
		s[0].Delay = e.ticks(50)
		s[0].Uncounted = true
		e.settle(q, s...)
		e.counts("dead", 0, 1, 0)
		ds := e.receiveWith("dead", adapter.ReceiveOptions{Max: 2, Wait: e.ticks(100)})
		e.bodies(ds, "a")
		e.attempts(ds, 1)
		e.took(start, 2)
	}},
	{name: "into a paused queue", needs: control, run: func(e *env) {
		e.configure("dead", func(s *adapter.Settings) { s.Paused = true })
		e.send(q, "a")
		e.settle(q, move("dead", e.take(q, "a")...)...)
		e.counts("dead", 1, 0, 0)
	}},
	{name: "is never in both queues and never in neither", needs: func(c adapter.Capabilities) bool {
		return c.AtomicMove && c.Control && c.KeepsIdentity
	}, run: moveAtomic},
}

// moveAtomic looks at both queues again and again while messages move.
// Looking at the source first, none may be missing from both, since what left
// it has arrived by then; looking at the target first, none may be in both.
func moveAtomic(e *env) {
	const n = 60
	e.send(q, numbered("m", n)...)
	ds := e.receive(q, n)
	done := make(chan struct{})
	e.at(0, func() {
		defer close(done)
		for i := 0; i < n; i += 3 {
			e.settle(q, move("dead", ds[i:i+3]...)...)
			e.sleep(0.01)
		}
	})
	look := func(queue string, seen map[string]int) {
		peeked, err := e.a.Peek(e.ctx, queue, 2*n)
		if err != nil {
			e.Errorf("Peek: %v", err)
		}
		for _, d := range peeked {
			seen[d.ID]++
		}
	}
	e.configure("dead", func(*adapter.Settings) {})
	for running := true; running; e.sleep(0.003) {
		select {
		case <-done:
			running = false
		default:
		}
		seen := map[string]int{}
		look(q, seen)
		look("dead", seen)
		if len(seen) != n {
			e.Fatalf("%d of %d messages are in neither queue", n-len(seen), n)
		}
		clear(seen)
		look("dead", seen)
		look(q, seen)
		for id, k := range seen {
			if k > 1 {
				e.Fatalf("message %s is in both queues", id)
			}
		}
	}
}
