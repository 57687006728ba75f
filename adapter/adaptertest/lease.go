package adaptertest

import (
	"net/url"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// short receives everything under a lease of one tick.
func (e *env) short(queue string) []adapter.Delivery {
	e.Helper()
	return e.receiveWith(queue, adapter.ReceiveOptions{Max: 100, Lease: e.ticks(1)})
}

func leases(ds ...adapter.Delivery) []adapter.Lease {
	ls := make([]adapter.Lease, len(ds))
	for i, d := range ds {
		ls[i] = d.Lease
	}
	return ls
}

func (e *env) extend(n float64, ds ...adapter.Delivery) {
	e.Helper()
	if err := e.a.Extend(e.ctx, q, e.ticks(n), leases(ds...)...); err != nil {
		e.Errorf("Extend: %v", err)
	}
}

var leaseTests = []test{
	{name: "an expired lease delivers again with attempts + 1 (A-37, C-140)", run: func(e *env) {
		e.send(q, "a", "b", "c")
		for i := range 4 {
			ds := e.short(q)
			e.bodies(ds, "a", "b", "c")
			e.attempts(ds, i+1)
			e.sleep(1.3)
		}
	}},
	{name: "not before it has expired", run: func(e *env) {
		e.send(q, "a")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Lease: e.ticks(2)}), "a")
		e.take(q)
		e.sleep(1.5)
		e.take(q)
		e.sleep(0.8)
		e.take(q, "a")
	}},
	{name: "lasts 30 s unless said otherwise", run: func(e *env) {
		if e.slack > time.Second {
			e.Log("not this engine's case: needs a clock that can be moved")
			return
		}
		e.send(q, "a")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{}), "a")
		time.Sleep(adapter.DefaultLease - time.Millisecond)
		e.take(q)
		time.Sleep(time.Millisecond + e.slack)
		e.take(q, "a")
	}},
	{name: "id, enqueue time, type and body survive (A-38)", run: func(e *env) {
		e.sendMessages(q, adapter.Message{Type: adapter.Bytes, Body: []byte{0, 255}}, texts("t")[0])
		first := e.short(q)
		e.sleep(1.3)
		again := e.short(q)
		e.sameMessages(first, again)
		e.settle(q, retry(0, again...)...)
		e.sameMessages(first, e.receive(q, 9))
	}},
	{name: "is URL-safe and differs for each delivery", run: func(e *env) {
		e.send(q, numbered("m", 30)...)
		e.send(q, "x")
		seen := map[adapter.Lease]bool{}
		for range 2 {
			for _, d := range e.short(q) {
				if seen[d.Lease] || d.Lease == "" || url.QueryEscape(string(d.Lease)) != string(d.Lease) {
					e.Errorf("lease %q is empty, not URL-safe or not new", d.Lease)
				}
				seen[d.Lease] = true
			}
			e.sleep(1.3)
		}
		if len(seen) != 62 {
			e.Errorf("%d leases, want 62", len(seen))
		}
	}},
	{name: "Extend keeps it", run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.short(q)
		for range 4 {
			e.sleep(0.5)
			e.extend(1, ds...)
		}
		e.take(q)
		e.settle(q, ack(ds...)...)
		e.sleep(1.3)
		e.take(q)
	}},
	{name: "Extend counts from now, not from the end", run: func(e *env) {
		e.send(q, "a")
		ds := e.receiveWith(q, adapter.ReceiveOptions{Lease: e.ticks(10)})
		e.extend(1, ds...)
		e.sleep(0.7)
		e.take(q)
		e.sleep(0.6)
		e.attempts(e.take(q, "a"), 2)
	}},
	{name: "Extend of some leaves the others", run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		ds := e.short(q)
		e.extend(3, ds[1], ds[3])
		e.sleep(1.3)
		e.counts(q, 2, 0, 2)
		e.attempts(e.take(q, "a", "c"), 2)
		e.settle(q, ack(ds[1])...)
		e.sleep(2)
		e.attempts(e.take(q, "d"), 2)
	}},
	{name: "Extend of a lease named twice", run: func(e *env) {
		e.send(q, "a", "b", "c")
		e.send(q, "x")
		ds := e.short(q)
		e.extend(3, ds[1], ds[3], ds[1])
		e.sleep(1.3)
		e.counts(q, 2, 0, 2)
		e.take(q, "a", "c")
		e.sleep(2)
		e.take(q, "b", "x")
	}},
	{name: "Extend without leases does nothing", run: func(e *env) {
		e.extend(1)
	}},
	{name: "several sends leased in one call expire together", run: func(e *env) {
		e.send(q, "a")
		e.send(q, "b", "c")
		e.send(q, "d")
		e.bodies(e.short(q), "a", "b", "c", "d")
		e.sleep(1.3)
		e.attempts(e.take(q, "a", "b", "c", "d"), 2)
	}},
}

// sameMessages checks that both have the same messages in the same order,
// whatever became of them in between.
func (e *env) sameMessages(want, got []adapter.Delivery) {
	e.Helper()
	if len(want) != len(got) {
		e.Fatalf("%d messages, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if string(g.Body) != string(w.Body) || g.Type != w.Type {
			e.Errorf("message %d: %v %q, want %v %q", i, g.Type, g.Body, w.Type, w.Body)
		}
		if e.caps.KeepsIdentity && (g.ID != w.ID || !g.Enqueued.Equal(w.Enqueued)) {
			e.Errorf("message %d: id %s enqueued %v, want %s %v", i, g.ID, g.Enqueued, w.ID, w.Enqueued)
		}
	}
}
