package adaptertest

import (
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// stats checks all numbers; they may be a second old.
func (e *env) stats(queue string, want adapter.Stats) {
	e.Helper()
	var diff string
	for deadline := time.Now().Add(time.Second); ; time.Sleep(100 * time.Millisecond) {
		got, err := e.a.Stats(e.ctx, queue)
		if err != nil {
			e.Errorf("Stats: %v", err)
			return
		}
		if diff = cmp.Diff(want, got); diff == "" {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	e.Errorf("stats (-want +got):\n%s", diff)
}

var statsTests = []test{
	{name: "follow a message through its life (B-12)", needs: control, run: func(e *env) {
		e.send(q, "12345")
		e.sleep(0.2)
		e.sendMessages(q, delayed(e.ticks(600), "1234567"), texts("123")[0])
		e.sleep(0.2)
		e.send(q, "", "12")
		all, err := e.a.Peek(e.ctx, q, 9)
		if err != nil || len(all) != 5 {
			e.Fatalf("Peek: %d messages, error %v", len(all), err)
		}
		first, second, last := all[0].Enqueued, all[1].Enqueued, all[2].Enqueued
		e.stats(q, adapter.Stats{Ready: 4, Delayed: 1, Bytes: 17, Oldest: first})

		ds := e.receive(q, 2) // 12345, 123
		e.stats(q, adapter.Stats{Ready: 2, Delayed: 1, Leased: 2, Bytes: 17, Oldest: first})
		e.settle(q, ack(ds[0])...)
		e.stats(q, adapter.Stats{Ready: 2, Delayed: 1, Leased: 1, Bytes: 12, Oldest: second})
		e.settle(q, retry(0, ds[1])...)
		e.stats(q, adapter.Stats{Ready: 3, Delayed: 1, Bytes: 12, Oldest: second})
		if _, err := e.a.Purge(e.ctx, q, all[4].ID, ds[1].ID); err != nil { // the delayed one and 123
			e.Errorf("Purge: %v", err)
		}
		e.stats(q, adapter.Stats{Ready: 2, Bytes: 2, Oldest: last})
		e.settle(q, ack(e.receive(q, 2)...)...)
		e.stats(q, adapter.Stats{})
	}},
	{name: "a lease that has run out counts as ready", needs: control, run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.short(q)
		e.counts(q, 0, 0, 3)
		e.sleep(1.3)
		e.counts(q, 3, 0, 0)
		if e.caps.LateSettle {
			e.settle(q, ack(ds[2])...)
			e.counts(q, 2, 0, 0)
		}
	}},
	{name: "a delayed message counts as ready when due", needs: control, run: func(e *env) {
		e.sendMessages(q, delayed(e.ticks(2), "a"), delayed(e.ticks(30), "b"))
		e.counts(q, 0, 2, 0)
		e.sleep(2.3)
		e.counts(q, 1, 1, 0)
	}},
	{name: "a moved message keeps its age", needs: control, run: func(e *env) {
		e.send(q, "abc")
		ds := e.take(q, "abc")
		e.sleep(1)
		e.send("dead", "young")
		e.settle(q, move("dead", ds...)...)
		want := adapter.Stats{Ready: 2, Bytes: 8, Oldest: ds[0].Enqueued}
		if e.caps.KeepsIdentity {
			e.stats("dead", want)
		}
		e.stats(q, adapter.Stats{})
	}},
	{name: "concern one queue", needs: control, run: func(e *env) {
		e.send("a", numbered("m", 10)...)
		e.send("b", "x")
		e.counts("a", 10, 0, 0)
		e.counts("b", 1, 0, 0)
	}},
}
