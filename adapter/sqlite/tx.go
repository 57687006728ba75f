package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// tx is one transaction of the writer. Everything that waited for it is in it
// and shares its time. An error of its methods is the store's and ends it.
type tx struct {
	*store
	clock   time.Time
	now     int64 // clock in milliseconds
	dirty   []*queue
	touched map[string]bool // queues whose waiting calls are to look again
	freed   map[int64]*freed
	doomed  []int64 // queues whose records are to be swept
	answers []answer
	dry     bool // there is no transaction: nothing may be written
	wrote   bool
}

// freed is how many of a chunk's messages this transaction is done with.
type freed struct{ n, total int }

// begin opens a transaction, or fails with SQLITE_BUSY at once.
func (s *store) begin() (*tx, bool, error) {
	if _, err := s.db.exec("begin immediate"); err != nil {
		return nil, false, err
	}
	foreign, err := s.refresh()
	if err != nil {
		s.rollback()
		return nil, false, err
	}
	now := time.Now()
	return &tx{store: s, clock: now, now: now.UnixMilli(), touched: map[string]bool{}, freed: map[int64]*freed{}}, foreign, nil
}

// rollback undoes everything and forgets what was only meant to be.
func (s *store) rollback() {
	_, _ = s.db.exec("rollback") // SQLite may have done so itself
	s.forget()
}

func (t *tx) commit() error {
	for key, f := range t.freed {
		if err := t.freeChunk(key, *f); err != nil {
			return err
		}
	}
	for _, q := range t.dirty {
		q.dirty = false
		if err := t.exec("update queue set n=?, bytes=?, next=max(next, ?) where id=?", q.n, q.bytes, t.next, q.id); err != nil {
			return err
		}
	}
	_, err := t.db.exec("commit")
	return err
}

// exec runs a statement that writes.
func (t *tx) exec(text string, args ...driver.Value) error {
	t.wrote = true
	_, err := t.db.exec(text, args...)
	return err
}

// stride is the distance of numbers, which leaves room for a record's parts.
const stride = 256

// number is the next of the numbers that order records of one due time and
// name chunks. Whoever takes one marks a queue, which stores the count.
func (t *tx) number() (int64, error) {
	if t.next == 0 {
		n, err := t.db.number("select max(next) from queue")
		if err != nil {
			return 0, err
		}
		t.next = max(n, stride)
	}
	n := t.next
	t.next += stride
	return n, nil
}

// mark notes that the queue's row has to be written.
func (t *tx) mark(q *queue) {
	if !q.dirty {
		q.dirty = true
		t.dirty = append(t.dirty, q)
	}
}

// open finds a queue or creates it.
func (t *tx) open(name string) (*queue, error) {
	q, err := t.queue(name)
	if err != nil || q != nil {
		return q, err
	}
	return t.insertQueue(&queue{name: name, created: t.now, modified: t.now})
}

func (t *tx) insertQueue(q *queue) (*queue, error) {
	t.wrote = true
	s := q.settings
	id, err := t.db.number(`insert into queue(name, created, modified, delay, retention, paused, n, bytes, next)
		values(?, ?, ?, ?, ?, ?, 0, 0, 0) returning id`,
		q.name, q.created, q.modified, int64(s.DeliveryDelay), int64(s.Retention), s.Paused)
	if err != nil {
		return nil, err
	}
	fresh := &queue{id: id, name: q.name, created: q.created, modified: q.modified, settings: s, soonest: maxInt64}
	t.queues[q.name] = fresh
	return fresh, nil
}

// put makes a record ready in q at due.
func (t *tx) put(q *queue, due int64, r *record) error {
	id, err := t.number()
	if err != nil {
		return err
	}
	t.mark(q)
	t.touched[q.name] = true
	return t.insertReady(q, due, id, r)
}

func (t *tx) insertReady(q *queue, due, id int64, r *record) error {
	t.buf = r.append(t.buf[:0])
	return t.exec("insert into r(q, due, id, n, bytes, enq, rec) values(?, ?, ?, ?, ?, ?, ?)",
		q.id, due, id, int64(r.len()), r.bytes, r.enqueued, t.buf)
}

// pack stores bodies as r's own: in r if it is one small one, else in a chunk.
func (t *tx) pack(r *record, msgs []message) error {
	r.bytes = 0
	for _, m := range msgs {
		r.bytes += int64(len(m.body))
	}
	if len(msgs) == 1 && len(msgs[0].body) <= maxInline {
		r.chunk, r.typ, r.body = 0, msgs[0].typ, msgs[0].body
		return nil
	}
	key, err := t.number()
	if err != nil {
		return err
	}
	r.chunk, r.lo, r.hi, r.total = key, 0, len(msgs), len(msgs)
	t.buf = appendChunk(t.buf[:0], msgs)
	err = t.exec("insert into c(id, data) values(?, ?)", key, t.buf)
	if cap(t.buf) > maxChunkBytes {
		t.buf = nil
	}
	return err
}

// part is the record of r's messages from to to.
func (t *tx) part(r *record, from, to int) (record, error) {
	p := *r
	if from == 0 && to == r.len() {
		return p, nil
	}
	c, err := t.chunkOf(r, true)
	if err != nil {
		return p, err
	}
	p.lo, p.hi, p.first = r.lo+from, r.lo+to, r.first+from
	p.bytes = c.size(p.lo, p.hi)
	return p, nil
}

// chunkOf is the chunk of a record that has one, kept if it will be wanted
// again.
func (t *tx) chunkOf(r *record, keep bool) (*chunk, error) {
	c, err := t.loadChunk(r.chunk, keep)
	if err == nil && r.hi > len(c.types) {
		err = fmt.Errorf("chunk %d: %w", r.chunk, errDamaged)
	}
	return c, err
}

// free is told of a record that no row holds any more.
func (t *tx) free(r *record) {
	if r.chunk == 0 {
		return
	}
	f := t.freed[r.chunk]
	if f == nil {
		f = &freed{total: r.total}
		t.freed[r.chunk] = f
	}
	f.n += r.len()
}

func (t *tx) freeChunk(key int64, f freed) error {
	if f.n < f.total {
		t.wrote = true
		left, err := t.db.number("insert into f(id, left) values(?, ?) on conflict(id) do update set left=left-? returning left",
			key, int64(f.total-f.n), int64(f.n))
		if err != nil || left > 0 {
			return err
		}
		if err := t.exec("delete from f where id=?", key); err != nil {
			return err
		}
	}
	t.chunks.drop(key)
	return t.exec("delete from c where id=?", key)
}
