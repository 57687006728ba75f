package adaptertest

import (
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// listed returns the names of all queues.
func (e *env) listed() []string {
	e.Helper()
	all, err := e.a.Queues(e.ctx)
	if err != nil {
		e.Errorf("Queues: %v", err)
	}
	names := []string{}
	for _, q := range all {
		names = append(names, q.Name)
	}
	return names
}

var controlTests = []test{
	{name: "Queues lists all by name", needs: control, run: func(e *env) {
		if got := e.listed(); len(got) != 0 {
			e.Errorf("queues of a fresh store: %q", got)
		}
		e.send("sent", "a")
		e.configure("configured", func(*adapter.Settings) {})
		e.settle("sent", move("moved", e.take("sent", "a")...)...)
		e.take("received")
		e.send("队列", "a")
		want := []string{"configured", "moved", "sent", "队列"}
		if diff := cmp.Diff(want, e.listed()); diff != "" {
			e.Errorf("queues (-want +got):\n%s", diff)
		}
	}},
	{name: "Delete removes the queue, its messages and its settings", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = e.ticks(1) })
		e.sendMessages(q, delayed(0, "ready"), delayed(0, "leased"), texts("delayed")[0])
		e.bodies(e.receive(q, 1), "ready")
		e.send("other", "a")
		if err := e.a.Delete(e.ctx, q); err != nil {
			e.Errorf("Delete: %v", err)
		}
		if diff := cmp.Diff([]string{"other"}, e.listed()); diff != "" {
			e.Errorf("queues (-want +got):\n%s", diff)
		}
		e.send(q, "new")
		if got := e.queue(q).Settings; got != (adapter.Settings{}) {
			e.Errorf("the new queue's settings are %+v, want none", got)
		}
		e.counts(q, 1, 0, 0)
		e.take(q, "new")
		e.sleep(1.3)
		e.take(q)
		e.take("other", "a")
	}},
	{name: "without the queue it is not found", needs: control, run: func(e *env) {
		e.send("gone", "a")
		if err := e.a.Delete(e.ctx, "gone"); err != nil {
			e.Errorf("Delete: %v", err)
		}
		e.take("received")
		for _, queue := range []string{"gone", "received", "never"} {
			e.failed("Delete", e.a.Delete(e.ctx, queue), adapter.ErrQueueNotFound)
			_, err := e.a.Purge(e.ctx, queue)
			e.failed("Purge", err, adapter.ErrQueueNotFound)
			_, err = e.a.Purge(e.ctx, queue, "00000000000000000000000000000000")
			e.failed("Purge of an id", err, adapter.ErrQueueNotFound)
			_, err = e.a.Peek(e.ctx, queue, 1)
			e.failed("Peek", err, adapter.ErrQueueNotFound)
			_, err = e.a.Stats(e.ctx, queue)
			e.failed("Stats", err, adapter.ErrQueueNotFound)
		}
	}},
	{name: "a deleted queue is waited for, and wakes when it is back", needs: control, run: func(e *env) {
		start := time.Now()
		e.send(q, "old")
		e.take(q, "old")
		e.at(1, func() {
			if err := e.a.Delete(e.ctx, q); err != nil {
				e.Errorf("Delete: %v", err)
			}
		})
		e.at(2, func() { e.send(q, "new") })
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Max: 2, Wait: e.ticks(100)}), "new")
		e.took(start, 2)
	}},
	{name: "what was moved away outlives its first queue", needs: control, run: func(e *env) {
		e.send(q, "a", "b", "c")
		ds := e.receive(q, 3)
		e.settle(q, move("dead", ds[1])...)
		if err := e.a.Delete(e.ctx, q); err != nil {
			e.Errorf("Delete: %v", err)
		}
		e.take("dead", "b")
	}},
}
