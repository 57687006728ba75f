package adaptertest

import (
	"strings"

	"github.com/wazqueue/wazqueue/adapter"
)

// lostTests: settling a lost lease changes nothing, says ErrLeaseLost for its
// item, and leaves the other items alone.
var lostTests = []test{
	{name: "a second settle is lost", needs: fenced, run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		ds := e.receive(q, 4)
		first := append(ack(ds[0]), retry(0, ds[1])...)
		first = append(first, move("dead", ds[2])...)
		e.settle(q, first...)
		for _, s := range [][]adapter.Settlement{first, ack(ds[:3]...), retry(0, ds[:3]...), move("dead", ds[:3]...), release(0, ds[:3]...)} {
			e.lost(e.a.Settle(e.ctx, q, s...), 0, 1, 2)
		}
		e.take("dead", "c")
		e.attempts(e.take(q, "b"), 2)
		e.counts(q, 0, 0, 2)
	}},
	{name: "the others are done", needs: fenced, run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		ds := e.receive(q, 4)
		e.settle(q, ack(ds[1])...)
		s := append(ack(ds[0]), retry(0, ds[1:3]...)...)
		s = append(s, move("dead", ds[3])...)
		e.lost(e.a.Settle(e.ctx, q, s...), 1)
		e.take(q, "c")
		e.take("dead", "d")
		e.counts(q, 0, 0, 1)
	}},
	{name: "of duplicates in one call the first counts", needs: fenced, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 2)
		s := append(ack(ds[0]), retry(0, ds[0], ds[1])...)
		s = append(s, ack(ds[1])...)
		e.lost(e.a.Settle(e.ctx, q, s...), 1, 3)
		e.attempts(e.take(q, "b"), 2)
		e.counts(q, 0, 0, 1)
	}},
	{name: "a lease belongs to its queue", needs: fenced, run: func(e *env) {
		e.send("a", "in a")
		e.send("b", "in b")
		ds := e.take("a", "in a")
		e.lost(e.a.Settle(e.ctx, "b", ack(ds...)...), 0)
		e.lost(e.a.Settle(e.ctx, "nowhere", ack(ds...)...), 0)
		e.lost(e.a.Extend(e.ctx, "b", e.tick, leases(ds...)...), 0)
		e.settle("a", ack(ds...)...)
		e.take("b", "in b")
	}},
	{name: "what never was a lease is lost", needs: fenced, run: garbage},
	{name: "Extend names the lost and extends the others", needs: fenced, run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.short(q)
		e.settle(q, ack(ds[1])...)
		e.lost(e.a.Extend(e.ctx, q, e.ticks(3), leases(ds...)...), 1)
		e.sleep(1.3)
		e.take(q)
		e.counts(q, 0, 0, 2)
	}},
	{name: "Extend does not revive what was delivered again", needs: fenced, run: func(e *env) {
		e.send(q, "a")
		old := e.short(q)
		e.sleep(1.3)
		e.bodies(e.short(q), "a")
		e.lost(e.a.Extend(e.ctx, q, e.ticks(50), leases(old...)...), 0)
		e.sleep(1.3)
		e.attempts(e.take(q, "a"), 3)
	}},
	{name: "a purged message's lease is lost", needs: fencedControl, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 2)
		if _, err := e.a.Purge(e.ctx, q, ds[0].ID); err != nil {
			e.Errorf("Purge: %v", err)
		}
		e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0)
	}},
	{name: "a deleted queue's leases are lost", needs: fencedControl, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 1)
		if err := e.a.Delete(e.ctx, q); err != nil {
			e.Errorf("Delete: %v", err)
		}
		e.lost(e.a.Settle(e.ctx, q, move("dead", ds...)...), 0)
		e.send(q, "new")
		e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0)
		e.lost(e.a.Extend(e.ctx, q, e.tick, leases(ds...)...), 0)
		e.take(q, "new")
	}},
}

func fencedControl(c adapter.Capabilities) bool { return c.Fenced && c.Control }

// garbage settles and extends hostile texts beside a real lease.
func garbage(e *env) {
	e.send(q, "a", "b", "c")
	real := string(e.receive(q, 1)[0].Lease)
	bad := []string{
		"", " ", "0", "-1", "nonsense", "null", "\x00", "\xff\xfe", "队列", "../../etc/passwd", "'; drop table r; --", `{"$gt":""}`,
		"%s%s%n", "*", "a.b.c.d", "0:0:0", "9223372036854775808", "-9223372036854775809", strings.Repeat("A", 100_000),
		strings.Repeat("9", 40), real[1:], real[:len(real)-1], real + "0", real + " ", " " + real, real + real, real + "\x00",
		strings.Repeat("A", len(real)), strings.Repeat("0", len(real)), strings.Repeat("_", len(real)), strings.Repeat("\xff", len(real)),
	}
	if up := strings.ToUpper(real); up != real {
		bad = append(bad, up)
	}
	var s []adapter.Settlement
	var ls []adapter.Lease
	var all []int
	for i, b := range bad {
		s = append(s, adapter.Settlement{Lease: adapter.Lease(b)})
		ls = append(ls, adapter.Lease(b))
		all = append(all, i)
	}
	e.lost(e.a.Settle(e.ctx, q, s...), all...)
	e.lost(e.a.Extend(e.ctx, q, e.tick, ls...), all...)
	for i := range s {
		e.lost(e.a.Settle(e.ctx, q, s[i]), 0)
	}
	for i := range s {
		s[i].Do, s[i].To = adapter.Move, "dead"
	}
	e.lost(e.a.Settle(e.ctx, q, append(s, ack(adapter.Delivery{Lease: adapter.Lease(real)})...)...), all...)
	e.take(q, "b", "c")
	e.counts(q, 0, 0, 2)
}
