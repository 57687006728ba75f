package sqlite

import (
	"errors"
	"fmt"
)

// Verify reads a whole store and says what in it does not agree: SQLite's own
// structures, the sums in queues and lease rows, and the chunks with the
// records that refer to them.
func Verify(path string) error {
	db, err := dial(path)
	if err != nil {
		return err
	}
	v := verifier{db: db, held: map[int64]int{}, chunks: map[int64]*chunk{}, sums: map[int64][2]int64{}}
	return errors.Join(v.all(), db.close())
}

type verifier struct {
	db     *conn
	held   map[int64]int // by chunk: messages that records refer to
	chunks map[int64]*chunk
	sums   map[int64][2]int64 // by queue: messages and bytes
}

func (v *verifier) all() error {
	if _, err := v.db.exec("begin"); err != nil { // one moment, though the sweep goes on
		return err
	}
	for _, f := range []func() error{v.integrity, v.readChunks, v.ready, v.leased, v.queues, v.left} {
		if err := f(); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) integrity() error {
	return v.db.query("pragma integrity_check", func(row values) error {
		if row[0] != "ok" {
			return fmt.Errorf("integrity: %v", row[0])
		}
		return nil
	})
}

func (v *verifier) readChunks() error {
	return v.db.query("select id, data from c", func(row values) error {
		c, err := parseChunk(row[1].([]byte))
		v.chunks[row[0].(int64)] = c
		return err
	})
}

func (v *verifier) ready() error {
	return v.db.query("select q, due, id, rec, n, bytes, enq from r", func(row values) error {
		p, err := scanReady(row[1:4])
		if err != nil {
			return err
		}
		if int64(p.len()) != row[4] || p.bytes != row[5] || p.enqueued != row[6] {
			return fmt.Errorf("row %d: columns %v differ from its record %+v", p.id, row, p.record)
		}
		return v.record(row[0].(int64), &p.record)
	})
}

func (v *verifier) leased() error {
	return v.db.query("select id, q, deadline, recs, n, bytes, enq, since from l", func(row values) error {
		l, err := scanLease(row[:4])
		if err != nil {
			return err
		}
		if n, bytes, enq, since := l.sums(); n != row[4] || bytes != row[5] || enq != row[6] || since != row[7] || n == 0 {
			return fmt.Errorf("lease row %d: columns %v differ from its records", l.id, row[4:])
		}
		for i := range l.recs {
			if err := v.record(l.queue, &l.recs[i].record); err != nil {
				return err
			}
		}
		return nil
	})
}

func (v *verifier) record(queue int64, r *record) error {
	s := v.sums[queue]
	v.sums[queue] = [2]int64{s[0] + int64(r.len()), s[1] + r.bytes}
	if r.chunk == 0 {
		return nil
	}
	c := v.chunks[r.chunk]
	if c == nil {
		return fmt.Errorf("chunk %d is missing", r.chunk)
	}
	if len(c.types) != r.total || c.size(r.lo, r.hi) != r.bytes {
		return fmt.Errorf("chunk %d has %d messages and differs from record %+v", r.chunk, len(c.types), r)
	}
	v.held[r.chunk] += r.len()
	return nil
}

func (v *verifier) queues() error {
	err := v.db.query("select "+queueColumns+" from queue", func(row values) error {
		q := scanQueue(row)
		if s := v.sums[q.id]; q.name != "" && s != [2]int64{q.n, q.bytes} {
			return fmt.Errorf("queue %s says %d messages and %d bytes, has %v", q.name, q.n, q.bytes, s)
		}
		delete(v.sums, q.id)
		return nil
	})
	if err == nil && len(v.sums) > 0 {
		err = fmt.Errorf("records without a queue: %v", v.sums)
	}
	return err
}

func (v *verifier) left() error {
	left := map[int64]int{}
	err := v.db.query("select id, left from f", func(row values) error {
		left[row[0].(int64)] = int(row[1].(int64))
		return nil
	})
	if err != nil {
		return err
	}
	for key, c := range v.chunks {
		want, part := left[key]
		if !part {
			want = len(c.types)
		}
		if v.held[key] != want {
			return fmt.Errorf("chunk %d should have %d messages, records refer to %d", key, want, v.held[key])
		}
		delete(left, key)
	}
	if len(left) > 0 {
		return fmt.Errorf("counts of chunks that are not there: %v", left)
	}
	return nil
}
