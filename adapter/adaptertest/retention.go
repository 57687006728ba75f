package adaptertest

import (
	"errors"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// keep sets a queue's retention to n ticks.
func (e *env) keep(queue string, n float64) {
	e.Helper()
	e.configure(queue, func(s *adapter.Settings) { s.Retention = e.ticks(n) })
}

var retentionTests = []test{
	{name: "what is older is not delivered and leaves the counts (B-31)", needs: control, run: func(e *env) {
		e.keep(q, 2)
		e.send(q, "a", "b")
		e.sleep(1)
		e.send(q, "c")
		e.sleep(1.4)
		e.counts(q, 1, 0, 0)
		ds, err := e.a.Peek(e.ctx, q, 9)
		if err != nil {
			e.Errorf("Peek: %v", err)
		}
		e.bodies(ds, "c")
		if s, err := e.a.Stats(e.ctx, q); err != nil || s.Bytes != 1 || !s.Oldest.Equal(ds[0].Enqueued) {
			e.Errorf("stats %+v, error %v, want 1 byte from %v", s, err, ds[0].Enqueued)
		}
		e.take(q, "c")
	}},
	{name: "what is younger stays", needs: control, run: func(e *env) {
		e.keep(q, 3)
		e.send(q, "a")
		e.sleep(2.5)
		e.take(q, "a")
	}},
	{name: "four days unless said otherwise", needs: control, run: func(e *env) {
		if e.slack > time.Second {
			e.Log("not this engine's case: needs a clock that can be moved")
			return
		}
		e.send(q, "a")
		e.send("other", "a")
		time.Sleep(adapter.DefaultRetention - time.Second)
		e.take(q, "a")
		time.Sleep(2 * time.Second)
		e.take("other")
		e.counts("other", 0, 0, 0)
	}},
	{name: "counts from the due time", needs: control, run: func(e *env) {
		e.keep(q, 2)
		e.sendMessages(q, delayed(e.ticks(2), "kept"))
		e.sleep(3.5)
		e.take(q, "kept")
		e.sendMessages(q, delayed(e.ticks(2), "gone"))
		e.sleep(4.5)
		e.take(q)
	}},
	{name: "is started anew by a move", needs: control, run: func(e *env) {
		e.keep(q, 2)
		e.keep("dead", 2)
		e.send(q, "a", "b")
		e.sleep(1.5)
		e.settle(q, move("dead", e.take(q, "a", "b")...)...)
		e.sleep(1.5)
		e.bodies(e.receive("dead", 1), "a")
		e.sleep(0.9)
		e.take("dead")
	}},
	{name: "counts from the due time in the queue moved to", needs: control, run: func(e *env) {
		e.configure("dead", func(s *adapter.Settings) { s.DeliveryDelay, s.Retention = e.ticks(2), e.ticks(2) })
		e.send(q, "a", "b")
		e.settle(q, move("dead", e.take(q, "a", "b")...)...)
		e.sleep(3.5)
		e.bodies(e.receive("dead", 1), "a")
		e.sleep(0.9)
		e.take("dead")
	}},
	{name: "passes while leased: not delivered again", needs: control, run: func(e *env) {
		e.keep(q, 2)
		e.send(q, "a", "b")
		e.receiveWith(q, adapter.ReceiveOptions{Max: 1, Lease: e.ticks(3)})
		ds := e.receive(q, 1)
		e.sleep(2.3)
		e.counts(q, 0, 0, 0)
		if err := e.a.Settle(e.ctx, q, retry(0, ds...)...); err != nil && !errors.Is(err, adapter.ErrLeaseLost) {
			e.Errorf("Settle: %v", err)
		}
		e.sleep(1)
		e.take(q)
		e.counts(q, 0, 0, 0)
	}},
	{name: "passes while Receive lingers", needs: control, run: func(e *env) {
		e.keep(q, 1)
		start := time.Now()
		e.send(q, "a")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Max: 5, Linger: e.ticks(3), Wait: e.ticks(5)}))
		if took := time.Since(start); took > e.ticks(5)+e.slack {
			e.Errorf("it took %v, want no more than Wait", took)
		}
	}},
	{name: "goes on while paused", needs: control, run: func(e *env) {
		e.keep(q, 1)
		e.configure(q, func(s *adapter.Settings) { s.Paused = true })
		e.send(q, "a")
		e.sleep(1.3)
		e.counts(q, 0, 0, 0)
	}},
	{name: "takes what was retried", needs: control, run: func(e *env) {
		e.keep(q, 3)
		e.send(q, "a", "b")
		for range 2 {
			e.sleep(0.5)
			e.settle(q, retry(0, e.take(q, "a", "b")...)...)
		}
		e.sleep(3.4) // past any reading of when they were due
		e.take(q)
		e.counts(q, 0, 0, 0)
	}},
}
