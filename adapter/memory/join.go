package memory

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Single sends come one by one and are many: those of one millisecond share a
// record, as if they had been sent together. It costs them nothing that can be
// seen, since enqueue times and retention count whole milliseconds and what is
// ready at once stays in order.
const (
	maxJoining = 4 << 10  // the longest body that is copied under the mutex
	maxJoined  = 64 << 10 // the most bytes of such a record
)

func (a *Adapter) sendOne(name string, m *adapter.Message) error {
	if _, err := a.lockAt(0); err != nil {
		return err
	}
	defer a.mu.Unlock()
	t := time.Now() // under the mutex, so that concurrent sends of one millisecond come together
	a.now = max(a.now, int64(t.Sub(a.start)))
	now := a.now
	q := a.created(name, now)
	due := after(now, m.Delay.Or(q.settings.DeliveryDelay))
	base, enqueued := a.floor(due), t.UnixMilli()
	j := &q.joining
	if r := q.joinable(); r != nil && due == now && r.base == base && r.enqueued == enqueued && len(r.data)+len(m.Body) < maxJoined {
		j.n++
		r.in.add(r.count())
		r.join(m)
		r.size += len(m.Body)
		q.count[ready]++
		q.bytes += len(m.Body)
		q.wake(now)
		return nil
	}
	r := &record{in: first(1), size: len(m.Body), due: due, base: base}
	r.packed = packed{number: a.reserve(chunk), enqueued: enqueued}
	room := 1
	if j.n > 1 && enqueued-j.enqueued <= 1 { // it goes on as it went
		room = j.n
		r.ends = make([]uint32, 0, room)
	}
	r.data = make([]byte, 0, max(1+len(m.Body), min(room*(1+len(m.Body)), maxJoined)))
	r.join(m)
	q.add(r, now)
	if due == now {
		*j = joining{r: r, n: 1, enqueued: enqueued}
	}
	q.wake(now)
	return nil
}

// joining is the record that single sends join, if it is still there, and how
// many came to be in it.
type joining struct {
	r        *record
	n        int
	enqueued int64
}

// joinable returns that record as long as it is the latest to be ready, has
// room, and nothing became of it.
func (q *queue) joinable() *record {
	r := q.joining.r
	if r == nil || r != q.ready.tail || r.key != 0 || r.count() == chunk || r.in != first(r.count()) {
		return nil
	}
	return r
}
