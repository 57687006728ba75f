package sqlite

import "math"

// sweepSize is how many rows one transaction removes, so that nobody waits
// for it long.
const sweepSize = 200

// sweep removes records of a queue whose retention counts from cutoff or
// before, apart from those under leases that last beyond now, and reports
// whether there may be more. q is nil for a queue that keeps no counts.
func (t *tx) sweep(q *queue, id, cutoff, now int64) (more bool, err error) {
	n := 0
	var last pick
	drop := func(r *record) {
		n++
		t.free(r)
		if q != nil {
			t.count(q, -1, r)
		}
	}
	err = t.db.query("select due, id, rec from r where q=? and due<=? order by due, id limit ?", func(row values) error {
		if last, err = scanReady(row); err != nil {
			return err
		}
		drop(&last.record)
		return nil
	}, id, cutoff, int64(sweepSize))
	if err != nil {
		return false, err
	}
	if n > 0 {
		if err := t.exec("delete from r where q=? and (due, id)<=(?, ?)", id, last.due, last.id); err != nil {
			return false, err
		}
	}
	if n == sweepSize {
		return true, nil
	}
	var rows []*leaseRow
	err = t.db.query("select id, q, deadline, recs from l where q=? and deadline<=? and since<=? limit ?", func(row values) error {
		l, err := scanLease(row)
		rows = append(rows, l)
		return err
	}, id, now, cutoff, int64(sweepSize))
	if err != nil {
		return false, err
	}
	for _, l := range rows {
		var kept []held
		for i := range l.recs {
			if l.recs[i].due > cutoff {
				kept = append(kept, l.recs[i])
				continue
			}
			drop(&l.recs[i].record)
		}
		l.recs = kept
		if err := t.rehold(l); err != nil {
			return false, err
		}
	}
	return len(rows) == sweepSize, nil
}

// sweepDoomed removes records of a queue that was deleted or purged, and at
// last its row. Its count of numbers goes to another row; the last row stays.
func (t *tx) sweepDoomed(id int64) (more bool, err error) {
	if more, err = t.sweep(nil, id, math.MaxInt64, math.MaxInt64); more || err != nil {
		return more, err
	}
	heir, err := t.db.number("select id from queue where id<>? limit 1", id)
	if err != nil || heir == 0 {
		return false, err
	}
	if err := t.exec("update queue set next=max(next, (select next from queue where id=?)) where id=?", id, heir); err != nil {
		return false, err
	}
	return false, t.exec("delete from queue where id=?", id)
}

// stale lists the queues with something to sweep: those without a name, and
// those with records whose retention has passed.
func (s *store) stale(now int64) (doomed []int64, names []string, err error) {
	var all []*queue
	err = s.db.query("select "+queueColumns+" from queue", func(row values) error {
		all = append(all, scanQueue(row))
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	for _, q := range all {
		if q.name == "" {
			doomed = append(doomed, q.id)
			continue
		}
		cutoff := q.cutoff(now)
		found, err := s.db.number("select exists(select 1 from r where q=?1 and due<=?2) or exists(select 1 from l where q=?1 and deadline<=?3 and since<=?2)", q.id, cutoff, now)
		if err != nil {
			return nil, nil, err
		}
		if found != 0 {
			names = append(names, q.name)
		}
	}
	return doomed, names, nil
}
