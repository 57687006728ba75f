package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/wazqueue/wazqueue/adapter"
)

var errNowhere = errors.New("memory: settle: a move without a queue to go to")

// Settle takes the messages out of their records one by one. Those that go
// the same way from one record go in one record again.
func (a *Adapter) Settle(ctx context.Context, name string, list ...adapter.Settlement) error {
	now, err := a.lock(ctx)
	if err != nil {
		return err
	}
	defer a.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	t := settling{a: a, now: now, q: a.queues[name]}
	if t.q == nil {
		t.q = &queue{a: a} // no lease is of it
	}
	t.q.advance(now)
	for i := range list {
		if err := t.settle(&list[i]); err != nil {
			t.failed = append(t.failed, adapter.ItemError{Index: i, Err: err})
		}
	}
	t.finish()
	if len(t.failed) > 0 {
		return &adapter.PartialError{Items: t.failed}
	}
	return nil
}

// settling is one Settle call.
type settling struct {
	a      *Adapter
	q      *queue
	now    int64
	goings []going
	failed []adapter.ItemError
}

// going is a new record on its way from another.
type going struct {
	r, from *record
	way     way
}

// way is where a message goes and what it is there.
type way struct {
	to       *queue
	due      int64
	attempts int
	moved    bool
}

func (t *settling) settle(s *adapter.Settlement) error {
	switch {
	case s.Do > adapter.Move:
		return fmt.Errorf("memory: settle: unknown action %d", s.Do)
	case s.Do == adapter.Move && s.To == "":
		return errNowhere
	}
	key, i, ok := parseLease(s.Lease)
	if !ok {
		return adapter.ErrLeaseLost
	}
	r := t.q.held(key, i)
	if r == nil {
		return adapter.ErrLeaseLost
	}
	switch {
	case s.Do == adapter.Move:
		to := t.a.created(s.To, t.now)
		t.send(r, i, way{to: to, due: after(t.now, to.settings.DeliveryDelay), moved: true})
	case s.Do == adapter.Retry && !r.aged:
		w := way{to: t.q, due: after(t.now, s.Delay), attempts: r.attempts}
		if s.Uncounted {
			w.attempts--
		}
		t.send(r, i, w)
	}
	t.q.drop(r, i)
	return nil
}

// send puts message i of r on its way. It joins the latest record that goes
// to the same queue for the same moment, if that came from r and goes the
// same way; an earlier one would take it out of order.
func (t *settling) send(r *record, i int, w way) {
	for k := len(t.goings) - 1; k >= max(0, len(t.goings)-8); k-- {
		g := &t.goings[k]
		if g.way.to != w.to || g.way.due != w.due {
			continue
		}
		if g.from == r && g.way == w {
			g.r.in.add(i)
			g.r.size += r.len(i)
			return
		}
		break
	}
	p := r.part()
	p.in.add(i)
	p.size, p.due, p.attempts = r.len(i), w.due, w.attempts
	if w.moved {
		p.base = t.a.floor(w.due)
		p.origin = &adapter.Origin{Queue: t.q.name, Attempts: r.attempts}
	} else {
		t.q.date(p, r) // it is as old as r, which may be gone when it arrives
	}
	t.goings = append(t.goings, going{p, r, w})
}

// finish lets what is on its way arrive, in the order of the list.
func (t *settling) finish() {
	for _, g := range t.goings {
		g.r.compact()
		g.way.to.add(g.r, t.now)
	}
	t.q.wake(t.now)
	for _, g := range t.goings {
		if g.way.moved {
			g.way.to.wake(t.now)
		}
	}
}
