package sqlite

import (
	"context"
	"database/sql/driver"
	"math"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Stats implements adapter.Adapter.
func (a *Adapter) Stats(ctx context.Context, queue string) (s adapter.Stats, err error) {
	err = a.read(ctx, "stats", func(v *view) error {
		q, err := v.queue(queue)
		if err != nil {
			return err
		}
		s, err = v.stats(q)
		return err
	})
	return s, err
}

// stats takes the totals from the queue's row, and finds by the indexes what
// is delayed, leased and not to be counted any more.
func (v *view) stats(q *queue) (s adapter.Stats, err error) {
	cutoff := q.cutoff(v.now)
	sums, err := v.db.sums(q.id, v.now, cutoff)
	if err != nil {
		return s, err
	}
	total := q.n - sums.expired
	if s.Delayed, err = v.delayed(q, cutoff, total-sums.held); err != nil {
		return s, err
	}
	s.Leased = sums.leased
	s.Ready = total - s.Delayed - s.Leased
	s.Bytes = q.bytes - sums.expiredBytes
	if total > 0 {
		s.Oldest, err = v.oldest(q.id, cutoff, sums.oldest)
	}
	return s, err
}

// sums are what a queue's row does not say.
type sums struct {
	expired, expiredBytes int64 // retention has passed, not yet swept
	held                  int64 // under a lease, ended or not
	leased                int64 // under a lease that lasts
	oldest                int64 // the first enqueue time under a lease
}

func (c *conn) sums(queue, now, cutoff int64) (s sums, err error) {
	err = c.query("select sum(n), sum(bytes) from r where q=? and due<=?", func(row values) error {
		s.expired, _ = row[0].(int64)
		s.expiredBytes, _ = row[1].(int64)
		return nil
	}, queue, cutoff)
	if err != nil {
		return s, err
	}
	err = c.query("select sum(n), sum(n) filter (where deadline>?2), coalesce(min(enq), ?4) from l where q=?1 and since>?3", func(row values) error {
		s.held, _ = row[0].(int64)
		s.leased, _ = row[1].(int64)
		s.oldest, _ = row[2].(int64)
		return nil
	}, queue, now, cutoff, int64(math.MaxInt64))
	if err != nil {
		return s, err
	}
	// Rows of which something has expired are few and have to be looked into.
	err = c.query("select id, q, deadline, recs from l where q=? and since<=?", func(row values) error {
		l, err := scanLease(row)
		if err != nil {
			return err
		}
		for i := range l.recs {
			s.add(&l.recs[i], l.deadline > now, cutoff)
		}
		return nil
	}, queue, cutoff)
	return s, err
}

func (s *sums) add(h *held, lasts bool, cutoff int64) {
	n := int64(h.len())
	if h.due <= cutoff {
		s.expired += n
		s.expiredBytes += h.bytes
		return
	}
	s.held += n
	if lasts {
		s.leased += n
	}
	s.oldest = min(s.oldest, h.enqueued)
}

// fewRows is how many rows are counted without thinking about it.
const fewRows = 10_000

// delayed counts the delayed ones of the messages that are not leased, or the
// ready ones if those are in fewer rows. Only a queue that has many rows of
// both is counted in full.
func (v *view) delayed(q *queue, cutoff, total int64) (int64, error) {
	delayed, rows, err := v.few(q.id, v.now, int64(math.MaxInt64))
	if err != nil || rows < fewRows {
		return delayed, err
	}
	ready, rows, err := v.few(q.id, cutoff, v.now)
	if err != nil || rows < fewRows {
		return total - ready, err
	}
	return v.db.number("select sum(n) from r where q=? and due>?", q.id, v.now)
}

func (v *view) few(args ...driver.Value) (sum, rows int64, err error) {
	err = v.db.query("select sum(n), count(*) from (select n from r where q=? and due>? and due<=? limit ?)", func(row values) error {
		sum, _ = row[0].(int64)
		rows, _ = row[1].(int64)
		return nil
	}, append(args, int64(fewRows))...)
	return sum, rows, err
}

// oldest is the earliest enqueue time. Of the records in the order of their
// enqueueing the first has it; the others are in an index.
func (v *view) oldest(queue, cutoff, first int64) (time.Time, error) {
	for _, text := range []string{
		"select enq from r where q=?1 and due>?2 order by due, id limit 1",
		"select enq from r where q=?1 and due>?2 and enq<due order by enq limit 1",
	} {
		enq, err := v.db.number("select coalesce(("+text+"), ?3)", queue, cutoff, first)
		if err != nil {
			return time.Time{}, err
		}
		first = min(first, enq)
	}
	return time.UnixMilli(first), nil
}
