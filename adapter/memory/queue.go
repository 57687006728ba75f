package memory

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// queue is one queue. Its methods are called under the store's mutex.
type queue struct {
	a        *Adapter
	name     string
	exists   bool // otherwise somebody waits for it
	created  time.Time
	modified time.Time
	settings adapter.Settings
	keep     time.Duration // the settings' retention

	ready   list // in the order of due, which is when each became ready
	ages    list // in the order of base: all but the delayed not due yet and the aged
	delayed heap
	leased  heap
	leases  map[uint64]*record // by key
	most    int                // leases there were at once

	count [3]int // messages by state
	bytes int
	// lag is how much earlier than its base a record was enqueued, at most.
	lag    int64
	oldest oldest

	joining joining
	waiting waiting
}

// advance brings the queue up to now: what is due becomes ready, in the order
// it was due, and what is too old leaves. Every call begins with it, so that
// what it appends comes behind all that was ready before.
func (q *queue) advance(now int64) {
	for {
		h := &q.delayed
		if q.leased.due() < h.due() {
			h = &q.leased
		}
		if h.due() > now {
			break
		}
		r := h.nodes[0].r
		if r.aged {
			q.discard(r)
			continue
		}
		h.remove(r)
		q.count[r.state] -= r.in.len()
		q.count[ready] += r.in.len()
		q.makeReady(r)
	}
	for r := q.ages.head; r != nil && r.end(q.keep) <= now; r = q.ages.head {
		q.age(r)
	}
}

// add takes in a record that is in no state's list or heap, by its due time.
func (q *queue) add(r *record, now int64) {
	if q.ages.head == nil && len(q.delayed.nodes) == 0 {
		q.lag = 0
	}
	r.state = ready
	if r.due > now {
		r.state = delayed
	}
	q.count[r.state] += r.in.len()
	q.bytes += r.size
	if r.state == delayed {
		q.delayed.push(r)
		return
	}
	q.makeReady(r)
}

func (q *queue) makeReady(r *record) {
	r.state = ready
	q.ready.insert(r, q.ready.tail, readyLink)
	if !r.dated {
		q.date(r, q.ages.tail)
	}
}

// date puts r into the list of ages behind prev.
func (q *queue) date(r, prev *record) {
	r.dated = true
	q.ages.insert(r, prev, ageLink)
	q.lag = max(q.lag, q.a.milli(r.base)-r.enqueued)
}

// age lets go of r, whose retention has passed. While it is leased it can
// still be settled, but it is not counted nor delivered again.
func (q *queue) age(r *record) {
	if r.state != leased {
		q.discard(r)
		return
	}
	q.count[leased] -= r.in.len()
	q.bytes -= r.size
	q.ages.remove(r, ageLink)
	r.dated, r.aged = false, true
}

// drop takes one message out of r, and r out of the queue with its last.
func (q *queue) drop(r *record, i int) {
	n := r.len(i)
	r.in.remove(i)
	r.size -= n
	if !r.aged {
		q.count[r.state]--
		q.bytes -= n
	}
	if r.in.empty() {
		q.discard(r)
	}
}

// discard takes r out of the queue.
func (q *queue) discard(r *record) {
	if q.joining.r == r {
		q.joining.r = nil
	}
	if !r.aged {
		q.count[r.state] -= r.in.len()
		q.bytes -= r.size
	}
	q.unplace(r)
	if r.dated {
		q.ages.remove(r, ageLink)
		r.dated = false
	}
	q.forget(r)
}

// unplace takes r out of its state's list or heap.
func (q *queue) unplace(r *record) {
	switch r.state {
	case ready:
		q.ready.remove(r, readyLink)
	case delayed:
		q.delayed.remove(r)
	case leased:
		q.leased.remove(r)
	}
}

// split parts the messages in s from r; both stay where r is by age, and the
// new record is not placed otherwise.
func (q *queue) split(r *record, s set) *record {
	p := r.part()
	p.in, p.state, p.aged = s, r.state, r.aged
	for i := range s.all {
		p.size += r.len(i)
	}
	r.in = r.in.minus(s)
	r.size -= p.size
	if r.dated {
		q.date(p, r)
	}
	return p
}

// lease puts r under a new lease until due; an earlier one is lost. It must
// not be placed.
func (q *queue) lease(r *record, due int64) {
	q.forget(r)
	r.key = newKey()
	if q.leases == nil {
		q.leases = map[uint64]*record{}
	}
	q.leases[r.key] = r
	q.most = max(q.most, len(q.leases))
	r.attempts++
	q.hold(r, due)
}

// hold puts r, which is not placed, among the leased.
func (q *queue) hold(r *record, due int64) {
	if !r.aged {
		q.count[r.state] -= r.in.len()
		q.count[leased] += r.in.len()
	}
	r.state, r.due = leased, due
	q.leased.push(r)
}

// held returns the record that this lease holds message i of, or nil.
func (q *queue) held(key uint64, i int) *record {
	r := q.leases[key]
	for r != nil && !r.in.has(i) {
		r = r.twin
	}
	return r
}

// forget loses r's lease, if it has one.
func (q *queue) forget(r *record) {
	if r.key == 0 {
		return
	}
	head := q.leases[r.key]
	switch {
	case head != r:
		for head.twin != r {
			head = head.twin
		}
		head.twin = r.twin
	case r.twin != nil:
		q.leases[r.key] = r.twin
	default:
		delete(q.leases, r.key)
		if len(q.leases) == 0 && q.most > 1024 { // a map does not shrink
			q.leases, q.most = nil, 0
		}
	}
	r.key, r.twin = 0, nil
}

// clear removes all messages.
func (q *queue) clear() {
	q.ready, q.ages = list{}, list{}
	q.delayed, q.leased = heap{}, heap{}
	q.joining.r = nil
	q.leases, q.most = nil, 0
	q.count, q.bytes, q.oldest = [3]int{}, 0, oldest{}
}

// floor is the moment at the beginning of the wall clock's millisecond that t
// is in. Retention counts from there, as enqueue times do.
func (a *Adapter) floor(t int64) int64 {
	return t - (t+a.start.UnixNano()%int64(time.Millisecond))%int64(time.Millisecond)
}

// milli is the moment in Unix milliseconds.
func (a *Adapter) milli(moment int64) int64 {
	return (a.start.UnixNano() + moment) / int64(time.Millisecond)
}
