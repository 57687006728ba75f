package adaptertest

import (
	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

func (e *env) peek(queue string, n int) []adapter.Delivery {
	e.Helper()
	ds, err := e.a.Peek(e.ctx, queue, n)
	if err != nil {
		e.Errorf("Peek: %v", err)
	}
	for _, d := range ds {
		if d.Lease != "" {
			e.Errorf("%s: lease %q, want none", d.Body, d.Lease)
		}
	}
	return ds
}

var peekTests = []test{
	{name: "the ready in order, then delayed, then leased ones", needs: control, run: func(e *env) {
		e.send(q, "leased", "retried", "a")
		ds := e.receive(q, 2)
		e.sendMessages(q, delayed(e.ticks(900), "late"), texts("b")[0], delayed(e.ticks(300), "soon"))
		e.send(q, "c")
		e.settle(q, retry(0, ds[1])...)
		e.bodies(e.peek(q, 100), "a", "b", "c", "retried", "soon", "late", "leased")
		e.bodies(e.peek(q, 7), "a", "b", "c", "retried", "soon", "late", "leased")
		e.bodies(e.peek(q, 5), "a", "b", "c", "retried", "soon")
		e.bodies(e.peek(q, 2), "a", "b")
		e.bodies(e.peek(q, 0))
		e.take(q, "a", "b", "c", "retried")
	}},
	{name: "shows what the next delivery would carry", needs: control, run: func(e *env) {
		e.sendMessages("first", adapter.Message{Type: adapter.Bytes, Body: []byte{0, 200}}, adapter.Message{Body: []byte(`{}`)})
		ds := e.receive("first", 2)
		e.settle("first", retry(0, ds[1])...)
		e.settle("first", move(q, append(ds[:1], e.receive("first", 1)...)...)...)
		for range 2 {
			seen := e.peek(q, 5)
			got := e.receive(q, 5)
			for i := range got {
				got[i].Lease = ""
			}
			if diff := cmp.Diff(got, seen); diff != "" {
				e.Errorf("peeked (+) and received (-) differ:\n%s", diff)
			}
			e.attempts(e.peek(q, 5), got[0].Attempts+1) // leased now
			if n, err := e.a.Purge(e.ctx, q); n != 2 || err != nil {
				e.Errorf("Purge: %d, %v", n, err)
			}
			e.send(q, "x", "y")
		}
	}},
	{name: "leases nothing and changes nothing", needs: control, run: func(e *env) {
		e.send(q, "a", "b", "c", "d")
		for n := range 6 {
			e.bodies(e.peek(q, n), []string{"a", "b", "c", "d"}[:min(n, 4)]...)
		}
		e.counts(q, 4, 0, 0)
		e.attempts(e.take(q, "a", "b", "c", "d"), 1)
	}},
	{name: "shows an expired lease as ready", needs: control, run: func(e *env) {
		e.send(q, "a", "b")
		e.receiveWith(q, adapter.ReceiveOptions{Max: 1, Lease: e.ticks(1)})
		e.bodies(e.peek(q, 1), "b")
		e.sleep(1.3)
		ds := e.peek(q, 5)
		e.bodies(ds, "b", "a")
		if ds[1].Attempts != 2 {
			e.Errorf("attempts %d, want 2", ds[1].Attempts)
		}
	}},
	{name: "an empty queue", needs: control, run: func(e *env) {
		e.configure(q, func(*adapter.Settings) {})
		e.bodies(e.peek(q, 5))
	}},
	{name: "deep into a long queue", needs: control, run: func(e *env) {
		for i := range 5 {
			ms := texts(numbered("m", 100)...)
			for j := range ms {
				ms[j].Delay = adapter.After(e.ticks(float64(3600 + (i*100+j)*7919%500)))
			}
			e.sendMessages(q, ms...)
		}
		ds := e.peek(q, 1000)
		if len(ds) != 500 {
			e.Errorf("%d messages, want 500", len(ds))
		}
		e.bodies(e.peek(q, 2), string(ds[0].Body), string(ds[1].Body))
	}},
}
