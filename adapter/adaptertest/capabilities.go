package adaptertest

import (
	"errors"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// capabilityTests: what has no group of its own. AtomicMove is in move, Fenced
// in lost, LateSettle in late, KeepsIdentity wherever a message is followed.
var capabilityTests = []test{
	{name: "Durable: all survives Close", needs: durable, run: func(e *env) {
		e.sendMessages(q, adapter.Message{Type: adapter.Bytes, Body: []byte{0, 255}}, texts("leased")[0], texts("retried")[0])
		e.send("first", "moved")
		e.settle("first", move(q, e.take("first", "moved")...)...)
		first := e.receive(q, 4)
		e.settle(q, append(retry(0, first[0]), retry(0, first[2:]...)...)...)
		if e.caps.Control {
			e.configure(q, func(s *adapter.Settings) { s.Retention = e.ticks(7200) })
		}
		e.sendMessages(q, delayed(e.ticks(2), "delayed"))
		e.close(e.a)
		e.a = e.open()
		again := e.receive(q, 9)
		e.sameMessages([]adapter.Delivery{first[0], first[2], first[3]}, again)
		e.attempts(again, 2)
		if want := (adapter.Origin{Queue: "first", Attempts: 1}); again[2].Origin != want {
			e.Errorf("origin %+v, want %+v", again[2].Origin, want)
		}
		if e.caps.Control {
			if got := e.queue(q).Settings.Retention; got != e.ticks(7200) {
				e.Errorf("retention %v, want %v", got, e.ticks(7200))
			}
		}
		e.sleep(2.3)
		e.take(q, "delayed")
	}},
	{name: "Durable: leases stay valid over Close", needs: durable, run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.receive(q, 2)
		e.settle(q, ack(ds[0])...)
		e.close(e.a)
		e.a = e.open()
		e.take(q, "c")
		e.settle(q, ack(ds[1])...)
		e.counts(q, 0, 0, 1)
		if e.caps.Fenced {
			e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0, 1)
		}
	}},
	{name: "Durable: an expired lease is noticed after Close", needs: durable, run: func(e *env) {
		e.send(q, "a")
		e.short(q)
		e.close(e.a)
		e.sleep(0.5)
		e.a = e.open()
		start := time.Now()
		ds := e.receiveWith(q, adapter.ReceiveOptions{Wait: e.ticks(50)})
		e.bodies(ds, "a")
		e.attempts(ds, 2)
		if took := time.Since(start); took > e.ticks(0.5)+e.slack {
			e.Errorf("it took %v, want half a tick", took)
		}
	}},
	{name: "Shared: adapters divide the messages", needs: shared, run: func(e *env) {
		b := e.open()
		e.send(q, "a", "b", "c")
		e.bodies(e.receive(q, 2), "a", "b")
		ds, err := b.Receive(e.ctx, q, adapter.ReceiveOptions{Max: 5})
		if err != nil {
			e.Errorf("Receive: %v", err)
		}
		e.bodies(ds, "c")
	}},
	{name: "Shared: a lease is valid in every adapter", needs: shared, run: func(e *env) {
		b := e.open()
		e.send(q, "a", "b")
		ds := e.short(q)
		if err := b.Extend(e.ctx, q, e.ticks(3), leases(ds...)...); err != nil {
			e.Errorf("Extend: %v", err)
		}
		e.sleep(1.3)
		e.take(q)
		if err := b.Settle(e.ctx, q, append(ack(ds[0]), retry(0, ds[1])...)...); err != nil {
			e.Errorf("Settle: %v", err)
		}
		if e.caps.Fenced {
			e.lost(e.a.Settle(e.ctx, q, ack(ds...)...), 0, 1)
		}
		e.attempts(e.take(q, "b"), 2)
	}},
	{name: "Shared: a send wakes a waiter elsewhere", needs: shared, run: func(e *env) {
		b := e.open()
		start := time.Now()
		e.at(1, func() {
			if err := b.Send(e.ctx, q, texts("x")...); err != nil {
				e.Errorf("Send: %v", err)
			}
		})
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Wait: e.ticks(50)}), "x")
		if took := time.Since(start); took > e.ticks(1)+2*time.Second+e.slack {
			e.Errorf("it took %v, want about a tick", took)
		}
	}},
	{name: "Shared: settings arrive within two seconds", needs: func(c adapter.Capabilities) bool { return c.Shared && c.Control }, run: func(e *env) {
		b := e.open()
		if err := b.Send(e.ctx, q, texts("a")...); err != nil { // b knows the queue
			e.Errorf("Send: %v", err)
		}
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = e.ticks(600) })
		time.Sleep(2 * time.Second)
		if err := b.Send(e.ctx, q, texts("b")...); err != nil {
			e.Errorf("Send: %v", err)
		}
		e.counts(q, 1, 1, 0)
		paused := make(chan error)
		go func() {
			_, err := b.Receive(e.ctx, q, adapter.ReceiveOptions{Max: 9, Linger: 20 * time.Second, Wait: 20 * time.Second})
			paused <- err
		}()
		start := time.Now()
		e.configure(q, func(s *adapter.Settings) { s.Paused = true })
		e.failed("Receive", <-paused, adapter.ErrPaused)
		if took := time.Since(start); took > 2*time.Second+e.slack {
			e.Errorf("it took %v, want two seconds", took)
		}
	}},
	{name: "Shared: changes of settings do not overwrite each other", needs: func(c adapter.Capabilities) bool { return c.Shared && c.Control }, run: func(e *env) {
		a, b := e.a, e.open()
		done := make(chan error)
		const each = 20
		for _, x := range []adapter.Adapter{a, b} {
			go func() {
				var err error
				for range each {
					err = errors.Join(err, x.Configure(e.ctx, q, func(s *adapter.Settings) { s.DeliveryDelay += time.Second }))
				}
				done <- err
			}()
		}
		for range 2 {
			e.failed("Configure", <-done, nil)
		}
		if got := e.queue(q).Settings.DeliveryDelay; got != 2*each*time.Second {
			e.Errorf("the delay is %v, want %v", got, 2*each*time.Second)
		}
	}},
	{name: "Control: without it the calls are unsupported", needs: func(c adapter.Capabilities) bool { return !c.Control }, run: func(e *env) {
		e.caps.Control = true // make those calls too
		calls := e.calls(e.ctx, "")
		for _, name := range []string{"Queues", "Configure", "Purge", "Peek", "Stats", "Delete"} {
			e.failed(name, calls[name](), errors.ErrUnsupported)
		}
	}},
	{name: "MaxDelay: the longest is taken, a longer one refused", run: func(e *env) {
		longest, limited := e.caps.MaxDelay, e.caps.MaxDelay > 0
		if !limited {
			longest = 10 * 365 * 24 * time.Hour
		}
		e.sendMessages(q, delayed(longest, "late"))
		e.send(q, "leased")
		ds := e.take(q, "leased")
		if limited {
			e.refused("Send", e.a.Send(e.ctx, q, texts("a")[0], delayed(longest+time.Second, "b"), texts("c")[0]))
			e.take(q) // all or none
			e.refused("Settle", e.a.Settle(e.ctx, q, retry(longest+time.Second, ds...)...))
		}
		e.settle(q, retry(longest, ds...)...)
		e.counts(q, 0, 2, 0)
	}},
	{name: "MaxSend: as many are taken, more refused", run: func(e *env) {
		most := e.caps.MaxSend
		if most == 0 {
			e.send(q, numbered("m", 5000)...)
			e.counts(q, 5000, 0, 0)
			return
		}
		e.send(q, numbered("m", most)...)
		e.counts(q, int64(most), 0, 0)
		e.refused("Send", e.a.Send(e.ctx, "other", texts(numbered("m", most+1)...)...))
		e.take("other")
	}},
	{name: "Queues are as they were configured, in every adapter", needs: func(c adapter.Capabilities) bool { return c.Shared && c.Control }, run: func(e *env) {
		b := e.open()
		e.configure(q, func(s *adapter.Settings) { s.Retention = time.Hour })
		time.Sleep(2 * time.Second)
		got, err := b.Queues(e.ctx)
		if err != nil {
			e.Errorf("Queues: %v", err)
		}
		if diff := cmp.Diff([]adapter.Queue{e.queue(q)}, got); diff != "" {
			e.Errorf("queues (-want +got):\n%s", diff)
		}
	}},
}

func (e *env) refused(what string, err error) {
	e.Helper()
	var r adapter.Refused
	if !errors.As(err, &r) || r.Reason == "" {
		e.Errorf("%s: error %v, want Refused with a reason", what, err)
	}
}
