package memory_test

import (
	"cmp"
	"slices"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// model is the engine as one would write it without regard for speed: a flat
// list of messages, searched and sorted at every call.
type model struct {
	queues map[string]*modelQueue
	steps  int // gives an order to what happens at one moment
}

type modelQueue struct {
	settings adapter.Settings
	all      []*message
	leases   map[adapter.Lease]*message // all there ever were
}

type message struct {
	d     adapter.Delivery // Attempts so far; Lease of the latest delivery
	delay adapter.Delay
	state string // "ready", "delayed" or "leased"
	due   time.Time
	base  time.Time
	step  int  // when it came into its state
	aged  bool // its retention passed while it was leased
	gone  bool // from the queue it was leased in
}

func (m *model) queue(name string) *modelQueue {
	if m.queues[name] == nil {
		m.queues[name] = &modelQueue{leases: map[adapter.Lease]*message{}}
	}
	return m.queues[name]
}

// put gives a message its due time and state.
func (m *model) put(x *message, state string, due time.Time) {
	m.steps++
	x.state, x.due, x.step = state, due, m.steps
	if state == "delayed" && !due.After(time.Now()) {
		x.state = "ready"
	}
}

func byDue(x, y *message) int {
	return cmp.Or(x.due.Compare(y.due), cmp.Compare(x.state, y.state), cmp.Compare(x.step, y.step))
}

func (m *model) advance() {
	now := time.Now()
	for _, q := range m.queues {
		var due []*message
		for _, x := range q.all {
			if x.state != "ready" && !x.due.After(now) {
				due = append(due, x)
			}
		}
		slices.SortFunc(due, byDue)
		for _, x := range due {
			m.put(x, "ready", x.due)
		}
		q.all = slices.DeleteFunc(q.all, func(x *message) bool {
			old := !x.base.Add(q.settings.Keep()).After(now)
			x.aged = x.aged || old && x.state == "leased"
			x.gone = (old || x.aged) && x.state != "leased"
			return x.gone
		})
	}
}

func (m *model) send(name string, ms []*message) {
	q := m.queue(name)
	now := time.Now()
	for _, x := range ms {
		x.d.Enqueued = now.Truncate(time.Millisecond)
		m.put(x, "delayed", now.Add(x.delay.Or(q.settings.DeliveryDelay)))
		x.base = x.due.Truncate(time.Millisecond)
		q.all = append(q.all, x)
	}
}

// in returns a queue's messages of one state in order.
func (q *modelQueue) in(state string) (ms []*message) {
	for _, x := range q.all {
		if x.state == state && !x.aged {
			ms = append(ms, x)
		}
	}
	slices.SortFunc(ms, func(x, y *message) int {
		if state == "ready" {
			return cmp.Compare(x.step, y.step)
		}
		return byDue(x, y)
	})
	return ms
}

// receive returns the messages that are to be delivered now.
func (m *model) receive(name string, limit int, lease time.Duration) []*message {
	ms := m.queues[name].in("ready")
	ms = ms[:min(limit, len(ms))]
	for _, x := range ms {
		x.d.Attempts++
		m.put(x, "leased", time.Now().Add(lease))
	}
	return ms
}

func (q *modelQueue) held(l adapter.Lease) *message {
	x := q.leases[l]
	if x == nil || x.gone || x.d.Lease != l {
		return nil
	}
	return x
}

// settle returns the indexes of the lost.
func (m *model) settle(name string, list []adapter.Settlement) (lost []int) {
	q := m.queues[name]
	for i, s := range list {
		x := q.held(s.Lease)
		if x == nil {
			lost = append(lost, i)
			continue
		}
		x.d.Lease = ""
		switch {
		case s.Do == adapter.Ack, s.Do == adapter.Retry && x.aged:
			q.remove(x)
		case s.Do == adapter.Move:
			q.remove(x)
			to := m.queue(s.To)
			x.d.Origin = adapter.Origin{Queue: name, Attempts: x.d.Attempts}
			x.d.Attempts, x.aged, x.gone = 0, false, false
			m.put(x, "delayed", time.Now().Add(to.settings.DeliveryDelay))
			x.base = x.due.Truncate(time.Millisecond)
			to.all = append(to.all, x)
		case s.Do == adapter.Retry:
			if s.Uncounted {
				x.d.Attempts--
			}
			m.put(x, "delayed", time.Now().Add(s.Delay))
		}
	}
	return lost
}

func (m *model) extend(name string, d time.Duration, ls []adapter.Lease) (lost []int) {
	for i, l := range ls {
		if x := m.queues[name].held(l); x != nil {
			m.put(x, "leased", time.Now().Add(d))
		} else {
			lost = append(lost, i)
		}
	}
	return lost
}

func (q *modelQueue) remove(x *message) {
	x.gone = true
	q.all = slices.DeleteFunc(q.all, func(y *message) bool { return x == y })
}

// peek is the whole backlog as Peek shows it.
func (q *modelQueue) peek() []adapter.Delivery {
	ds := []adapter.Delivery{}
	for _, state := range []string{"ready", "delayed", "leased"} {
		for _, x := range q.in(state) {
			d := x.d
			d.Attempts++
			d.Lease = ""
			ds = append(ds, d)
		}
	}
	return ds
}

func (q *modelQueue) stats() (s adapter.Stats) {
	s.Ready, s.Delayed, s.Leased = int64(len(q.in("ready"))), int64(len(q.in("delayed"))), int64(len(q.in("leased")))
	for _, d := range q.peek() {
		s.Bytes += int64(len(d.Body))
		if s.Oldest.IsZero() || d.Enqueued.Before(s.Oldest) {
			s.Oldest = d.Enqueued
		}
	}
	return s
}
