package memory

import (
	"context"

	"github.com/wazqueue/wazqueue/adapter"
)

// Receive leases under the mutex and makes the deliveries after it.
func (a *Adapter) Receive(ctx context.Context, name string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	o = o.WithDefaults()
	now, err := a.lock(ctx)
	if err != nil {
		return nil, err
	}
	q := a.queues[name]
	if q != nil {
		q.advance(now)
		if q.settings.Paused {
			a.mu.Unlock()
			return nil, adapter.ErrPaused
		}
		if q.due(now, &o) {
			var room [1]grant // most often one record is all
			granted := q.take(now, &o, room[:0])
			q.wake(now)
			a.mu.Unlock()
			return a.deliveries(granted, o.Max), nil
		}
	}
	if o.Wait <= 0 && (q == nil || q.count[ready] == 0) {
		a.mu.Unlock()
		return nil, nil
	}
	q = a.waited(name)
	w := q.wait(o)
	q.wake(now)
	a.mu.Unlock()
	return a.wait(ctx, q, w)
}

// due reports whether a Receive with these options is to return messages now.
func (q *queue) due(now int64, o *adapter.ReceiveOptions) bool {
	n := q.count[ready]
	return n >= o.Max || n > 0 && after(q.ready.head.due, o.Linger) <= now
}

// take leases at most o.Max messages that are ready, the first that became so
// first, and appends them to dst. It splits at most one record.
func (q *queue) take(now int64, o *adapter.ReceiveOptions, dst []grant) []grant {
	end := after(now, o.Lease)
	for left := o.Max; left > 0 && q.ready.head != nil; {
		r := q.ready.head
		n := r.in.len()
		if n > left {
			n = left
			r = q.split(r, r.in.lowest(n))
		} else {
			q.unplace(r)
		}
		q.lease(r, end)
		dst = append(dst, r.grant())
		left -= n
	}
	return dst
}
