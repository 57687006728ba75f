package sqlite

import (
	"context"
	"errors"
	"fmt"

	"github.com/wazqueue/wazqueue/adapter"
)

// Settle implements adapter.Adapter.
func (a *Adapter) Settle(ctx context.Context, queue string, list ...adapter.Settlement) error {
	if len(list) == 0 {
		return a.idle(ctx)
	}
	var failed failures
	err := a.do(ctx, "settle", &request{run: func(t *tx) error {
		failed = nil // in case it runs again
		return t.settle(queue, list, &failed)
	}})
	if err != nil {
		return err
	}
	return failed.err()
}

// failures gathers the items of a call that cannot be done.
type failures []adapter.ItemError

func (f *failures) add(i int, err error) {
	*f = append(*f, adapter.ItemError{Index: i, Err: err})
}

func (f failures) err() error {
	if len(f) == 0 {
		return nil
	}
	return &adapter.PartialError{Items: f}
}

// leases are the rows that a call's leases name, each read once.
type leases struct {
	*tx
	queue *queue // nil for a queue that does not exist: no lease is its own
	rows  map[int64][]*leaseRow
	order []*leaseRow
}

// find is the row and the record in it that hold a message, nil for a lease
// that is lost.
func (ls *leases) find(l adapter.Lease) (row *leaseRow, rec, pos int, err error) {
	base, pos, ok := parseLease(l)
	if !ok || ls.queue == nil {
		return nil, 0, 0, nil
	}
	rows, read := ls.rows[base]
	if !read {
		if rows, err = ls.db.leaseRows(base); err != nil {
			return nil, 0, 0, err
		}
		ls.rows[base] = rows
		ls.order = append(ls.order, rows...)
	}
	for _, row := range rows {
		if rec := row.find(pos); rec >= 0 && row.queue == ls.queue.id {
			return row, rec, pos, nil
		}
	}
	return nil, 0, 0, nil
}

// run is messages of one record, the from-th to before the to-th, that the
// same happens to.
type run struct {
	row      *leaseRow
	rec      int
	from, to int
	adapter.Settlement
}

// joins reports whether the message after r is this one.
func (r *run) joins(row *leaseRow, rec, at int, s *adapter.Settlement) bool {
	return r.row == row && r.rec == rec && r.to == at &&
		r.Do == s.Do && r.Delay == s.Delay && r.Uncounted == s.Uncounted && r.To == s.To
}

// settle does what the list says, in its order, with neighbours that go the
// same way kept in one record.
func (t *tx) settle(queue string, list []adapter.Settlement, failed *failures) error {
	q, err := t.queue(queue)
	if err != nil {
		return err
	}
	ls := &leases{tx: t, queue: q, rows: map[int64][]*leaseRow{}}
	var runs []run
	gone := places{}
	for i := range list {
		s := &list[i]
		row, rec, pos, err := ls.find(s.Lease)
		if err != nil {
			return err
		}
		if row == nil || gone.has(row, pos) {
			failed.add(i, adapter.ErrLeaseLost)
			continue
		}
		if err := valid(s); err != nil {
			failed.add(i, err)
			continue
		}
		gone.add(row, pos)
		at := pos - row.recs[rec].pos
		if n := len(runs); n > 0 && runs[n-1].joins(row, rec, at, s) {
			runs[n-1].to++
			continue
		}
		runs = append(runs, run{row, rec, at, at + 1, *s})
	}
	for i := range runs {
		if err := t.settleRun(q, &runs[i]); err != nil {
			return err
		}
	}
	for _, row := range ls.order {
		if set := gone[row]; set != nil {
			if row.recs, err = t.without(row.recs, set); err != nil {
				return err
			}
			if err := t.rehold(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func valid(s *adapter.Settlement) error {
	switch s.Do {
	case adapter.Ack, adapter.Retry:
		return nil
	case adapter.Move:
		if err := checkName(s.To); err != nil {
			return fmt.Errorf("move: %w", err)
		}
		return nil
	}
	return errors.New("sqlite: unknown action")
}

func (t *tx) settleRun(q *queue, r *run) error {
	rec, err := t.part(&r.row.recs[r.rec].record, r.from, r.to)
	if err != nil {
		return err
	}
	switch r.Do {
	case adapter.Ack:
		t.count(q, -1, &rec)
		t.free(&rec)
		return nil
	case adapter.Retry:
		if r.row.recs[r.rec].due <= q.cutoff(t.now) {
			// Its retention passed meanwhile: it would not be delivered.
			t.count(q, -1, &rec)
			t.free(&rec)
			return nil
		}
		if r.Uncounted {
			rec.attempts--
		}
		if err := t.carve(&rec); err != nil {
			return err
		}
		return t.put(q, after(t.clock, r.Delay), &rec)
	}
	to, err := t.open(r.To)
	if err != nil {
		return err
	}
	t.count(q, -1, &rec)
	t.count(to, 1, &rec)
	rec.origin = adapter.Origin{Queue: q.name, Attempts: rec.attempts}
	rec.attempts, rec.entered = 0, t.now
	if err := t.carve(&rec); err != nil {
		return err
	}
	return t.put(to, after(t.clock, to.settings.DeliveryDelay), &rec)
}

// count adds a record to the queue's sums, or takes it off with sign -1.
func (t *tx) count(q *queue, sign int64, r *record) {
	q.n += sign * int64(r.len())
	q.bytes += sign * r.bytes
	t.mark(q)
}

// carve gives the few messages that stay of a chunk a place of their own, so
// that they do not keep all its bodies for as long as they wait.
func (t *tx) carve(r *record) error {
	if r.chunk == 0 || 4*r.len() > r.total {
		return nil
	}
	c, err := t.chunkOf(r, true)
	if err != nil {
		return err
	}
	msgs := make([]message, 0, r.len())
	for i := r.lo; i < r.hi; i++ {
		msgs = append(msgs, message{c.types[i], c.body(i)})
	}
	t.free(r)
	return t.pack(r, msgs)
}

// places are sets of places in lease rows.
type places map[*leaseRow]*[maxLeased]bool

func (p places) has(l *leaseRow, pos int) bool {
	set := p[l]
	return set != nil && set[pos]
}

func (p places) add(l *leaseRow, pos int) {
	set := p[l]
	if set == nil {
		set = &[maxLeased]bool{}
		p[l] = set
	}
	set[pos] = true
}

// without is the records less the messages in these places.
func (t *tx) without(recs []held, gone *[maxLeased]bool) ([]held, error) {
	var rest []held
	for i := range recs {
		h := &recs[i]
		n := h.len()
		for from := 0; from < n; {
			to := from
			for to < n && !gone[h.pos+to] {
				to++
			}
			if to > from {
				r, err := t.part(&h.record, from, to)
				if err != nil {
					return nil, err
				}
				rest = append(rest, held{h.pos + from, h.due, r})
			}
			from = to + 1
		}
	}
	return rest, nil
}
