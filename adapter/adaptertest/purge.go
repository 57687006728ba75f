package adaptertest

import (
	"strings"

	"github.com/wazqueue/wazqueue/adapter"
)

func (e *env) purge(want int, queue string, ids ...string) {
	e.Helper()
	n, err := e.a.Purge(e.ctx, queue, ids...)
	if n != want || err != nil {
		e.Errorf("Purge: %d went, error %v, want %d", n, err, want)
	}
}

var purgeTests = []test{
	{name: "without ids all go, delayed and leased ones too", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) { s.Retention = e.ticks(36000) })
		e.send(q, "a", "b", "c")
		e.sendMessages(q, delayed(e.ticks(1), "late"))
		e.send("other", "x")
		ds := e.receiveWith(q, adapter.ReceiveOptions{Max: 2, Lease: e.ticks(1)})
		e.purge(4, q)
		if e.caps.Fenced {
			e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0, 1)
			e.lost(e.a.Extend(e.ctx, q, e.ticks(1), leases(ds...)...), 0, 1)
		}
		e.stats(q, adapter.Stats{})
		e.sleep(1.3)
		e.take(q)
		e.purge(0, q)
		if got := e.queue(q).Settings.Retention; got != e.ticks(36000) {
			e.Errorf("retention %v after Purge", got)
		}
		e.take("other", "x")
		e.send(q, "new")
		e.take(q, "new")
	}},
	{name: "with ids these go, whatever their state", needs: control, run: func(e *env) {
		e.send(q, "a", "b", "c", "d", "e")
		e.send(q, "f")
		e.sendMessages(q, delayed(e.ticks(1), "g"), delayed(e.ticks(1), "h"))
		id := map[string]string{}
		for _, d := range e.peek(q, 10) {
			id[string(d.Body)] = d.ID
		}
		ds := e.receive(q, 2)
		e.purge(4, q, id["a"], id["d"], id["f"], id["h"])
		e.counts(q, 2, 1, 1)
		e.take(q, "c", "e")
		e.sleep(1.3)
		e.take(q, "g")
		e.settle(q, ack(ds[1])...)
		if e.caps.Fenced {
			e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0, 1)
		}
	}},
	{name: "ids that are not there do not count, nor does one twice", needs: control, run: func(e *env) {
		e.send(q, "a", "b")
		e.send("other", "x")
		a := e.peek(q, 1)[0].ID
		x := e.peek("other", 1)[0].ID
		e.purge(0, q, "", "nonsense", x, strings.Repeat("f", 32), strings.Repeat("队", 32), a[:31], a+"0", strings.ToUpper(a)+" ")
		e.purge(1, q, a, "nonsense", a)
		e.purge(0, q, a)
		e.take(q, "b")
		e.take("other", "x")
	}},
	{name: "an expired lease's message goes as well", needs: control, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.short(q)
		e.sleep(1.3)
		e.purge(1, q, ds[0].ID)
		if e.caps.Fenced && e.caps.LateSettle {
			e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0)
			e.take(q)
		}
	}},
	{name: "a moved message goes by the id it always had", needs: control, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.receive(q, 2)
		e.settle(q, move("dead", ds...)...)
		if !e.caps.KeepsIdentity {
			return
		}
		e.purge(0, q, ds[0].ID)
		e.purge(1, "dead", ds[0].ID)
		e.take("dead", "b")
	}},
}
