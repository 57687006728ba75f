package adaptertest

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

var delayTests = []test{
	{name: "a delayed message is not ready before its time", run: func(e *env) {
		start := time.Now()
		e.sendMessages(q, delayed(e.ticks(3), "late"))
		e.counts(q, 0, 1, 0)
		e.take(q)
		time.Sleep(time.Until(start.Add(e.ticks(2.5))))
		e.take(q)
		time.Sleep(time.Until(start.Add(e.ticks(3)).Add(e.early)))
		e.take(q, "late")
	}},
	{name: "delayed messages come by their due times", run: func(e *env) {
		e.sendMessages(q, delayed(e.ticks(3), "3"), delayed(e.ticks(1), "1"), texts("0")[0], delayed(e.ticks(2), "2"))
		e.take(q, "0")
		e.sleep(3.3)
		e.take(q, "1", "2", "3")
	}},
	{name: "messages of one delay keep their order", run: func(e *env) {
		bodies := numbered("m", 30)
		ms := texts(bodies...)
		for i := range ms {
			ms[i].Delay = adapter.After(e.ticks(1))
		}
		e.sendMessages(q, ms[:10]...)
		e.sendMessages(q, ms[10]) // alone, between two batches
		e.sendMessages(q, ms[11:]...)
		e.sleep(1.8)
		e.take(q, bodies...)
	}},
	{name: "a message due is behind one that was ready before", run: func(e *env) {
		e.sendMessages(q, delayed(e.ticks(1), "due"))
		e.send(q, "first")
		e.sleep(1.3)
		e.take(q, "first", "due")
	}},
	{name: "no delay means the queue's, an explicit zero none (B-18)", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = e.ticks(2) })
		start := time.Now()
		e.sendMessages(q, texts("default")[0], delayed(0, "zero"), delayed(e.ticks(1), "one"))
		e.take(q, "zero")
		ds := e.receiveWith(q, adapter.ReceiveOptions{Max: 3, Wait: e.ticks(100)})
		e.bodies(ds, "one")
		e.took(start, 1)
		ds = e.receiveWith(q, adapter.ReceiveOptions{Max: 3, Wait: e.ticks(100)})
		e.bodies(ds, "default")
		e.took(start, 2)
	}},
	{name: "twelve hours", run: func(e *env) {
		if e.slack > time.Second {
			e.Log("not this engine's case: needs a clock that can be moved")
			return
		}
		const d = 12 * time.Hour
		if e.caps.MaxDelay > 0 && e.caps.MaxDelay < d {
			e.Log("not this engine's case: more than MaxDelay")
			return
		}
		e.sendMessages(q, delayed(d, "late"))
		time.Sleep(d - time.Second)
		e.take(q)
		time.Sleep(time.Second)
		e.take(q, "late")
	}},
}
