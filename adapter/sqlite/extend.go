package sqlite

import (
	"context"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Extend implements adapter.Adapter.
func (a *Adapter) Extend(ctx context.Context, queue string, d time.Duration, list ...adapter.Lease) error {
	if len(list) == 0 {
		return a.idle(ctx)
	}
	var failed failures
	err := a.do(ctx, "extend", &request{run: func(t *tx) error {
		failed = nil // in case it runs again
		return t.extend(queue, d, list, &failed)
	}})
	if err != nil {
		return err
	}
	return failed.err()
}

// extend gives whole rows another deadline, and what is a part of a row a row
// of its own.
func (t *tx) extend(queue string, d time.Duration, list []adapter.Lease, failed *failures) error {
	q, err := t.queue(queue)
	if err != nil {
		return err
	}
	ls := &leases{tx: t, queue: q, rows: map[int64][]*leaseRow{}}
	chosen := places{}
	for i, l := range list {
		row, _, pos, err := ls.find(l)
		if err != nil {
			return err
		}
		if row == nil {
			failed.add(i, adapter.ErrLeaseLost)
			continue
		}
		chosen.add(row, pos)
	}
	until := after(t.clock, d)
	for _, row := range ls.order {
		if set := chosen[row]; set != nil {
			if err := t.extendRow(q, ls, row, set, until); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) extendRow(q *queue, ls *leases, row *leaseRow, set *[maxLeased]bool, until int64) error {
	t.touched[q.name] = true // their alarm is another
	rest, err := t.without(row.recs, set)
	if err != nil {
		return err
	}
	if len(rest) == 0 {
		q.soonest = min(q.soonest, until)
		return t.exec("update l set deadline=? where id=?", until, row.id)
	}
	part := &leaseRow{base: row.base, queue: row.queue, deadline: until}
	part.id = ls.free(row.base)
	if part.recs, err = t.without(row.recs, inverse(set)); err != nil {
		return err
	}
	row.recs = rest
	if err := t.rehold(row); err != nil {
		return err
	}
	ls.rows[row.base] = append(ls.rows[row.base], part)
	return t.hold(q, part)
}

// free is a row number of a lease that none of its rows has. There is one,
// since a lease has at most maxLeased rows that are not empty.
func (ls *leases) free(base int64) int64 {
	used := map[int64]bool{}
	for _, row := range ls.rows[base] {
		used[row.id] = true
	}
	id := base
	for used[id] {
		id++
	}
	return id
}

func inverse(set *[maxLeased]bool) *[maxLeased]bool {
	var out [maxLeased]bool
	for i := range set {
		out[i] = !set[i]
	}
	return &out
}
