package sqlite

import (
	"math"
	"slices"
)

// pick is a record that is ready since due: a row of r, or a part of a lease
// whose time has passed. Its retention counts from kept.
type pick struct {
	due, id int64
	kept    int64
	record
	lease *leaseRow // nil for a row of r
	pos   int
}

// picks are what is ready in a queue, in the order to be received.
type picks struct {
	list  []pick
	n     int  // messages in list
	all   bool // whether nothing else is ready
	limit int
}

// since is when the first of them became ready.
func (p *picks) since() int64 { return p.list[0].due }

// pick looks for up to limit messages that are ready. It changes nothing.
func (s *store) pick(q *queue, now int64, limit int) (*picks, error) {
	p := &picks{limit: limit}
	if err := s.db.pickReady(p, q.id, q.cutoff(now), now); err != nil {
		return nil, err
	}
	ended, err := s.leaseEnded(q, now)
	if err != nil {
		return nil, err
	}
	if ended {
		if err := s.db.pickEnded(p, q.id, q.cutoff(now), math.MinInt64, now); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// leaseEnded reports whether one of the queue's leases has run out. Most
// calls are answered by the bound.
func (s *store) leaseEnded(q *queue, now int64) (bool, error) {
	if q.soonest > now {
		return false, nil
	}
	first, err := s.db.number("select coalesce(min(deadline), ?) from l where q=?", int64(math.MaxInt64), q.id)
	if err != nil {
		return false, err
	}
	q.soonest = first
	return first <= now, nil
}

func (c *conn) pickReady(p *picks, queue, cutoff, now int64) error {
	p.all = true
	return c.query("select due, id, rec from r where q=? and due>? and due<=? order by due, id", func(row values) error {
		if p.n >= p.limit {
			p.all = false
			return errEnough
		}
		r, err := scanReady(row)
		if err != nil {
			return err
		}
		p.n += r.len()
		p.list = append(p.list, r)
		return nil
	}, queue, cutoff, now)
}

func scanReady(row values) (p pick, err error) {
	p.due, _ = row[0].(int64)
	p.id, _ = row[1].(int64)
	rec, _ := row[2].([]byte)
	p.kept = p.due
	p.record, err = parseRecord(rec)
	return p, err
}

// pickEnded adds what is under leases that end after from and not after to,
// and puts all in order. It may find more than the limit.
func (c *conn) pickEnded(p *picks, queue, cutoff, from, to int64) error {
	n := 0
	err := c.query("select id, q, deadline, recs from l where q=? and deadline>? and deadline<=? order by deadline, id", func(row values) error {
		if n >= p.limit {
			p.all = false
			return errEnough
		}
		l, err := scanLease(row)
		if err != nil {
			return err
		}
		for _, h := range l.recs {
			if h.due <= cutoff {
				continue
			}
			n += h.len()
			p.list = append(p.list, pick{due: l.deadline, kept: h.due, record: h.record, lease: l, pos: h.pos})
		}
		return nil
	}, queue, from, to)
	p.n += n
	slices.SortStableFunc(p.list, func(a, b pick) int {
		if a.due < b.due {
			return -1
		}
		if a.due > b.due {
			return 1
		}
		return 0
	})
	return err
}

// nextDue is when the next message of a queue becomes ready that is not yet,
// by its due time or the end of its lease.
func (s *store) nextDue(q *queue, now int64) (int64, error) {
	due, err := s.db.number("select coalesce(min(due), ?) from r where q=? and due>?", int64(math.MaxInt64), q.id, now)
	if err != nil {
		return 0, err
	}
	end, err := s.db.number("select coalesce(min(deadline), ?) from l where q=? and deadline>?", int64(math.MaxInt64), q.id, now)
	return min(due, end), err
}
