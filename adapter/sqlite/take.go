package sqlite

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// take leases the first limit messages of p for d. The rows they came from
// are deleted or shortened, and rows of l written, each for many records.
func (t *tx) take(q *queue, p *picks, limit int, d time.Duration) ([]adapter.Delivery, error) {
	l := leasing{tx: t, queue: q, until: after(t.clock, d)}
	l.deliveries = make([]adapter.Delivery, 0, min(limit, p.n))
	var whole *pick // the last row of r that goes as a whole
	for i := range p.list {
		pk := &p.list[i]
		n := min(pk.len(), limit)
		if n == 0 {
			break
		}
		limit -= n
		if err := l.record(pk, n); err != nil {
			return nil, err
		}
		switch {
		case pk.lease != nil:
			if err := t.takeHeld(pk, n); err != nil {
				return nil, err
			}
		case n < pk.len():
			if err := t.shorten(q, pk, n); err != nil {
				return nil, err
			}
		default:
			whole = pk
		}
	}
	if whole != nil {
		// They are the first ones, so one statement names them all.
		err := t.exec("delete from r where q=?1 and due>?2 and (due, id)<=(?3, ?4)", q.id, q.cutoff(t.now), whole.due, whole.id)
		if err != nil {
			return nil, err
		}
	}
	if err := t.writeEnded(p); err != nil {
		return nil, err
	}
	return l.done()
}

// shorten takes the first n messages off a row of r.
func (t *tx) shorten(q *queue, p *pick, n int) error {
	rest, err := t.part(&p.record, n, p.len())
	if err != nil {
		return err
	}
	t.buf = rest.append(t.buf[:0])
	return t.exec("update r set n=?, bytes=?, rec=? where q=? and due=? and id=?",
		int64(rest.len()), rest.bytes, t.buf, q.id, p.due, p.id)
}

// takeHeld takes the first n messages off a record under an ended lease.
func (t *tx) takeHeld(p *pick, n int) error {
	l := p.lease
	i := l.find(p.pos)
	h := &l.recs[i]
	l.changed = true
	if n == h.len() {
		l.recs = append(l.recs[:i:i], l.recs[i+1:]...)
		return nil
	}
	rest, err := t.part(&h.record, n, h.len())
	l.recs[i] = held{h.pos + n, h.due, rest}
	return err
}

// writeEnded writes the ended leases that lost records.
func (t *tx) writeEnded(p *picks) error {
	for i := range p.list {
		l := p.list[i].lease
		if l == nil || !l.changed {
			continue
		}
		l.changed = false
		if err := t.rehold(l); err != nil {
			return err
		}
	}
	return nil
}

// leasing gathers records under new rows of l.
type leasing struct {
	*tx
	queue      *queue
	until      int64
	row        *leaseRow
	count      int // messages under row
	deliveries []adapter.Delivery
	text       []byte // of each delivery its id and its lease
}

// record leases the first n messages of p.
func (l *leasing) record(p *pick, n int) error {
	r, err := l.part(&p.record, 0, n)
	if err != nil {
		return err
	}
	r.attempts++
	if l.row == nil || l.count+n > maxLeased {
		if err := l.flush(); err != nil {
			return err
		}
		base := l.newBase()
		l.row, l.count = &leaseRow{base: base, id: base, queue: l.queue.id, deadline: l.until}, 0
	}
	l.row.recs = append(l.row.recs, held{l.count, p.kept, r})
	var c *chunk
	if r.chunk != 0 {
		if c, err = l.chunkOf(&r, n < r.total); err != nil {
			return err
		}
	}
	for i := range n {
		l.deliveries = append(l.deliveries, r.delivery(i, c))
		l.text = r.identity.appendID(l.text, r.first+i)
		l.text = appendLease(l.text, l.row.base, l.count+i)
	}
	l.count += n
	return nil
}

// flush writes the row that is being filled.
func (l *leasing) flush() error {
	if l.row == nil {
		return nil
	}
	return l.hold(l.queue, l.row)
}

// done writes the last row and gives the deliveries their ids and leases.
func (l *leasing) done() ([]adapter.Delivery, error) {
	text := string(l.text)
	for i := range l.deliveries {
		d := &l.deliveries[i]
		d.ID, text = text[:idLen], text[idLen:]
		d.Lease, text = adapter.Lease(text[:leaseLen]), text[leaseLen:]
	}
	return l.deliveries, l.flush()
}

// delivery is the i-th message of r without id and lease. c is r's chunk.
func (r *record) delivery(i int, c *chunk) adapter.Delivery {
	d := adapter.Delivery{Attempts: r.attempts, Enqueued: time.UnixMilli(r.enqueued), Type: r.typ, Body: r.body, Origin: r.origin}
	if c != nil {
		d.Type, d.Body = c.types[r.lo+i], c.body(r.lo+i)
	}
	return d
}
