package sqlite

import (
	"crypto/rand"
	"math"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// store is the writer's view of the file: its connection, and what it knows
// of the queues, which is right until another process commits.
type store struct {
	db      *conn
	version int64 // PRAGMA data_version, which changes with others' commits
	queues  map[string]*queue
	next    int64 // 0: to be read
	chunks  chunkCache
	buf     []byte // for what is being encoded
	random  [4096]byte
	used    int
}

// queue is a queue's row.
type queue struct {
	id                int64
	name              string
	created, modified int64
	settings          adapter.Settings
	n, bytes          int64

	dirty bool
	// soonest is a bound: none of the queue's leases ends before it.
	soonest int64
}

// cutoff is the due time up to which records are not kept any more.
func (q *queue) cutoff(now int64) int64 { return cutoff(q.settings, now) }

func cutoff(s adapter.Settings, now int64) int64 { return now - ceilMilli(s.Keep()) }

func (q *queue) info() adapter.Queue {
	return adapter.Queue{Name: q.name, Created: time.UnixMilli(q.created), Modified: time.UnixMilli(q.modified), Settings: q.settings}
}

// ceilMilli is d in milliseconds, rounded up, so that nothing comes early.
// Negative durations are none.
func ceilMilli(d time.Duration) int64 {
	if d <= 0 {
		return 0
	}
	return int64((d-1)/time.Millisecond) + 1
}

// after is the time d after now. A delay reaches from the moment it is asked
// for, which lies inside the millisecond now, so it is rounded up from there.
func after(now time.Time, d time.Duration) int64 {
	if d <= 0 {
		return now.UnixMilli()
	}
	return now.Add(min(d, 250*365*24*time.Hour) + time.Millisecond - 1).UnixMilli()
}

const queueColumns = "id, name, created, modified, delay, retention, paused, n, bytes"

func scanQueue(row values) *queue {
	at := func(i int) int64 { n, _ := row[i].(int64); return n }
	name, _ := row[1].(string)
	return &queue{
		id: at(0), name: name, created: at(2), modified: at(3),
		settings: adapter.Settings{DeliveryDelay: time.Duration(at(4)), Retention: time.Duration(at(5)), Paused: at(6) != 0},
		n:        at(7), bytes: at(8), soonest: math.MinInt64,
	}
}

// findQueue reads a queue's row, nil for none.
func (c *conn) findQueue(name string) (q *queue, err error) {
	err = c.query("select "+queueColumns+" from queue where name=?", func(row values) error {
		q = scanQueue(row)
		return nil
	}, name)
	return q, err
}

// refresh forgets what was read before another process committed, and reports
// whether one did.
func (s *store) refresh() (changed bool, err error) {
	v, err := s.db.number("pragma data_version")
	if err != nil || v == s.version {
		return false, err
	}
	s.version = v
	s.forget()
	return true, nil
}

func (s *store) forget() {
	clear(s.queues)
	s.next = 0
}

// queue finds a queue, nil for none.
func (s *store) queue(name string) (*queue, error) {
	if q := s.queues[name]; q != nil {
		return q, nil
	}
	q, err := s.db.findQueue(name)
	if err == nil && q != nil {
		s.queues[name] = q
	}
	return q, err
}

// loadChunk reads a chunk. One that is being taken apart is kept.
func (s *store) loadChunk(key int64, keep bool) (*chunk, error) {
	if c := s.chunks.get(key); c != nil {
		return c, nil
	}
	c, err := s.db.readChunk(key)
	if err == nil && keep {
		s.chunks.put(key, c)
	}
	return c, err
}

func (c *conn) readChunk(key int64) (k *chunk, err error) {
	err = c.query("select data from c where id=?", func(row values) error {
		data, _ := row[0].([]byte)
		k, err = parseChunk(data)
		return err
	}, key)
	if err == nil && k == nil {
		err = errDamaged
	}
	return k, err
}

// fill puts random bytes into b.
func (s *store) fill(b []byte) {
	if s.used == 0 || s.used+len(b) > len(s.random) {
		_, _ = rand.Read(s.random[:]) // never fails
		s.used = 0
	}
	s.used += copy(b, s.random[s.used:])
}
