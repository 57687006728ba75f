package memory

import (
	"context"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// maxPacked is how many bytes of bodies one record takes: what holds one of
// its messages holds all.
const maxPacked = 1 << 20

// Send packs the messages before it takes the mutex and hands over whole
// records under it, apart from single short ones, which may join another.
func (a *Adapter) Send(ctx context.Context, name string, msgs ...adapter.Message) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(msgs) == 1 && len(msgs[0].Body) <= maxJoining {
		return a.sendOne(name, &msgs[0])
	}
	t := time.Now()
	var head, tail *record // linked by twin until they are added
	for rest := msgs; len(rest) > 0; {
		n, size := run(rest)
		r := &record{packed: pack(rest[:n], size, t.UnixMilli()), in: first(n), size: size}
		r.due = -1
		if d := rest[0].Delay; d.IsSet() {
			r.due = max(0, int64(d.Or(0)))
		}
		if head == nil {
			head = r
		} else {
			tail.twin = r
		}
		tail, rest = r, rest[n:]
	}
	now, err := a.lockAt(int64(t.Sub(a.start)))
	if err != nil {
		return err
	}
	defer a.mu.Unlock()
	if head == nil {
		return nil
	}
	q := a.created(name, now)
	for r := head; r != nil; {
		next := r.twin
		r.twin = nil
		r.number = a.reserve(r.count())
		delay := time.Duration(r.due)
		if r.due < 0 {
			delay = q.settings.DeliveryDelay
		}
		r.due = after(now, delay)
		r.base = a.floor(r.due)
		q.add(r, now)
		r = next
	}
	q.wake(now)
	return nil
}

// reserve takes n numbers for messages and returns the first.
func (a *Adapter) reserve(n int) uint64 {
	number := a.sent
	a.sent += uint64(n)
	return number
}

// run returns how many of msgs, from the first, go into one record, and the
// sum of their bodies' lengths.
func run(msgs []adapter.Message) (n, size int) {
	for n < len(msgs) && n < chunk {
		m := &msgs[n]
		if n > 0 && (m.Delay != msgs[0].Delay || size+len(m.Body) > maxPacked-chunk) {
			break
		}
		size += len(m.Body)
		n++
	}
	return n, size
}
