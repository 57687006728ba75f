package sqlite

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/wazqueue/wazqueue/adapter"
)

const (
	// maxLeased is the largest number of messages under one lease row, which
	// can become as many parts, each of which needs a number.
	maxLeased = 128
	// parts is the number of numbers that the rows of one lease can have.
	parts = 256
)

// held is a record under a lease. Its first message is in place pos there.
// due is when it became ready, which its retention counts from.
type held struct {
	pos int
	due int64
	record
}

// leaseRow is a row of l. base is the number that leases name; id is that of
// the row, which differs once a part of the lease is extended alone.
type leaseRow struct {
	base, id int64
	queue    int64
	deadline int64
	recs     []held
	changed  bool
}

// leaseSize is the length of a lease's binary form, base and place, and
// leaseLen that of its text.
const (
	leaseSize = 9
	leaseLen  = 12
)

var leaseText = base64.RawURLEncoding.Strict()

// appendLease appends the lease of the message in place pos.
func appendLease(dst []byte, base int64, pos int) []byte {
	var b [leaseSize]byte
	binary.BigEndian.PutUint64(b[:], uint64(base))
	b[8] = byte(pos)
	return leaseText.AppendEncode(dst, b[:])
}

// parseLease reads a lease, of which there is one spelling only.
func parseLease(l adapter.Lease) (base int64, pos int, ok bool) {
	var b [leaseSize]byte
	if len(l) != leaseLen {
		return 0, 0, false
	}
	if n, err := leaseText.Decode(b[:], []byte(l)); err != nil || n != leaseSize {
		return 0, 0, false
	}
	base, pos = int64(binary.BigEndian.Uint64(b[:])), int(b[8])
	return base, pos, base > 0 && base%parts == 0 && pos < maxLeased
}

// newBase is a base that no lease had before: 54 random bits.
func (t *tx) newBase() int64 {
	var b [8]byte
	t.fill(b[:])
	return int64(binary.BigEndian.Uint64(b[:])>>1)&^(parts-1) | parts
}

func parseHeld(b []byte) ([]held, error) {
	p := parser{b: b}
	hs := make([]held, 0, min(p.int(), maxLeased))
	for len(p.b) > 0 {
		h := held{pos: p.int(), due: p.int64()}
		h.record = p.record()
		if h.pos+h.len() > maxLeased {
			p.fail(errDamaged)
		}
		hs = append(hs, h)
	}
	return hs, p.err
}

func appendHeld(b []byte, hs []held) []byte {
	b = binary.AppendUvarint(b, uint64(len(hs)))
	for i := range hs {
		b = binary.AppendUvarint(b, uint64(hs[i].pos))
		b = binary.AppendUvarint(b, uint64(hs[i].due))
		b = hs[i].append(b)
	}
	return b
}

func scanLease(row values) (*leaseRow, error) {
	id, _ := row[0].(int64)
	queue, _ := row[1].(int64)
	deadline, _ := row[2].(int64)
	recs, _ := row[3].([]byte)
	hs, err := parseHeld(recs)
	if err != nil {
		return nil, fmt.Errorf("lease row %d: %w", id, err)
	}
	return &leaseRow{base: id &^ (parts - 1), id: id, queue: queue, deadline: deadline, recs: hs}, nil
}

// leaseRows reads the rows of a lease.
func (c *conn) leaseRows(base int64) (rows []*leaseRow, err error) {
	err = c.query("select id, q, deadline, recs from l where id between ? and ? order by id", func(row values) error {
		l, err := scanLease(row)
		rows = append(rows, l)
		return err
	}, base, base|(parts-1))
	return rows, err
}

// hold writes a new row.
func (t *tx) hold(q *queue, l *leaseRow) error {
	n, bytes, enq, since := l.sums()
	t.buf = appendHeld(t.buf[:0], l.recs)
	q.soonest = min(q.soonest, l.deadline)
	return t.exec("insert into l(id, q, deadline, n, bytes, enq, since, recs) values(?, ?, ?, ?, ?, ?, ?, ?)",
		l.id, q.id, l.deadline, n, bytes, enq, since, t.buf)
}

// rehold writes a row that has fewer records than before.
func (t *tx) rehold(l *leaseRow) error {
	if len(l.recs) == 0 {
		return t.exec("delete from l where id=?", l.id)
	}
	n, bytes, enq, since := l.sums()
	t.buf = appendHeld(t.buf[:0], l.recs)
	return t.exec("update l set n=?, bytes=?, enq=?, since=?, recs=? where id=?", n, bytes, enq, since, t.buf, l.id)
}

// sums are the columns that Stats reads.
func (l *leaseRow) sums() (n, bytes, enq, since int64) {
	enq, since = math.MaxInt64, math.MaxInt64
	for i := range l.recs {
		r := &l.recs[i]
		n += int64(r.len())
		bytes += r.bytes
		enq = min(enq, r.enqueued)
		since = min(since, r.due)
	}
	return n, bytes, enq, since
}

// find is the index of the record that holds place pos, -1 for none.
func (l *leaseRow) find(pos int) int {
	for i := range l.recs {
		if h := &l.recs[i]; pos >= h.pos && pos < h.pos+h.len() {
			return i
		}
	}
	return -1
}
