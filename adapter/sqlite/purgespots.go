package sqlite

import "fmt"

// purgeSpots removes the wanted messages from these rows, and from others if
// fewer are there than were seen.
func (t *tx) purgeSpots(q *queue, want wanted, spots []spot) (n int, err error) {
	moved := false
	for _, s := range spots {
		k, err := t.purgeSpot(q, want, s)
		if err != nil {
			return 0, err
		}
		n += k
		moved = moved || k == 0
	}
	if !moved {
		return n, nil
	}
	if spots, err = t.db.spots(q.id, want); err != nil {
		return 0, err
	}
	for _, s := range spots {
		k, err := t.purgeSpot(q, want, s)
		if err != nil {
			return 0, err
		}
		n += k
	}
	return n, nil
}

func (t *tx) purgeSpot(q *queue, want wanted, s spot) (int, error) {
	if s.lease {
		return t.purgeLease(q, want, s.id)
	}
	return t.purgeReady(q, want, s.due, s.id)
}

// purgeReady replaces a row of r by those of the parts that stay. Their
// numbers are the row's and those after it, so that they keep its place.
func (t *tx) purgeReady(q *queue, want wanted, due, id int64) (int, error) {
	var p *pick
	err := t.db.query("select due, id, rec from r where q=? and due=? and id=?", func(row values) error {
		r, err := scanReady(row)
		p = &r
		return err
	}, q.id, due, id)
	if err != nil || p == nil {
		return 0, err
	}
	gone := want.in(&p.record)
	if len(gone) == 0 {
		return 0, nil
	}
	if err := t.exec("delete from r where q=? and due=? and id=?", q.id, due, id); err != nil {
		return 0, err
	}
	rest, err := t.drop(q, []held{{record: p.record}}, gone)
	if err != nil {
		return 0, err
	}
	base, first := id&^(stride-1), id&(stride-1)
	for i := range rest {
		at := first + int64(rest[i].pos)
		if at >= stride {
			return 0, fmt.Errorf("row %d: %w", id, errDamaged)
		}
		if err := t.insertReady(q, due, base+at, &rest[i].record); err != nil {
			return 0, err
		}
	}
	return len(gone), nil
}

func (t *tx) purgeLease(q *queue, want wanted, id int64) (int, error) {
	var l *leaseRow
	err := t.db.query("select id, q, deadline, recs from l where id=?", func(row values) (err error) {
		l, err = scanLease(row)
		return err
	}, id)
	if err != nil || l == nil || l.queue != q.id {
		return 0, err
	}
	gone := l.places(want)
	if len(gone) == 0 {
		return 0, nil
	}
	if l.recs, err = t.drop(q, l.recs, gone); err != nil {
		return 0, err
	}
	return len(gone), t.rehold(l)
}

// drop removes the messages in these places and returns the records that are
// left.
func (t *tx) drop(q *queue, recs []held, gone []int) ([]held, error) {
	var set [maxLeased]bool
	for _, pos := range gone {
		set[pos] = true
	}
	lost, err := t.without(recs, inverse(&set))
	if err != nil {
		return nil, err
	}
	for i := range lost {
		t.count(q, -1, &lost[i].record)
		t.free(&lost[i].record)
	}
	return t.without(recs, &set)
}
