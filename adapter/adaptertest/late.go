package adaptertest

import "github.com/wazqueue/wazqueue/adapter"

// lateTests: a lease whose time has passed holds until its message is
// delivered again (B-53).
var lateTests = []test{
	{name: "a late ack succeeds", needs: late, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.short(q)
		e.sleep(1.3)
		e.counts(q, 2, 0, 0)
		e.settle(q, ack(ds[0])...)
		e.counts(q, 1, 0, 0)
		e.attempts(e.take(q, "b"), 2)
		e.counts(q, 0, 0, 1)
	}},
	{name: "a late ack of a whole batch leaves nothing", needs: late, run: func(e *env) {
		e.send(q, numbered("m", 20)...)
		ds := e.short(q)
		e.sleep(1.3)
		e.settle(q, ack(ds...)...)
		e.take(q)
		e.counts(q, 0, 0, 0)
	}},
	{name: "a late retry succeeds", needs: late, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.short(q)
		e.sleep(1.3)
		e.settle(q, retry(e.ticks(1), ds[0])...)
		e.take(q, "b")
		e.sleep(1.3)
		e.attempts(e.take(q, "a"), 2)
	}},
	{name: "a late move succeeds", needs: late, run: func(e *env) {
		e.send(q, "a")
		ds := e.short(q)
		e.sleep(1.3)
		e.settle(q, move("dead", ds...)...)
		e.take(q)
		e.take("dead", "a")
	}},
	{name: "a late Extend leases again", needs: late, run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.short(q)
		e.sleep(1.3)
		e.extend(2, ds[1])
		e.attempts(e.take(q, "a"), 2)
		e.counts(q, 0, 0, 2)
		e.settle(q, ack(ds[1])...)
		e.sleep(2.3)
		e.take(q)
	}},
	{name: "delivered again it is lost (C-141)", needs: fenced, run: func(e *env) {
		e.send(q, "a", "b", "c")
		old := e.short(q)
		e.sleep(1.3)
		again := e.receive(q, 1)
		e.bodies(again, "a")
		// The neighbours were not delivered again, so their leases hold.
		err := e.a.Settle(e.ctx, q, ack(old...)...)
		if !e.caps.LateSettle {
			e.lost(err, 0, 1, 2)
			return
		}
		e.lost(err, 0)
		e.counts(q, 0, 0, 1)
		e.settle(q, ack(again...)...)
		e.counts(q, 0, 0, 0)
	}},
	{name: "a waiter that is woken takes the lease", needs: fenced, run: func(e *env) {
		e.send(q, "a")
		old := e.short(q)
		ds := e.receiveWith(q, adapter.ReceiveOptions{Wait: e.ticks(50), Lease: e.ticks(3600)})
		e.bodies(ds, "a")
		e.lost(e.a.Settle(e.ctx, q, ack(old...)...), 0)
		e.settle(q, ack(ds...)...)
		e.take(q)
	}},
}
