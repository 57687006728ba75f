package memory

import (
	"context"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Extend moves the ends of whole records where it can; of a record that is
// extended in part it splits that part off, under the same key.
func (a *Adapter) Extend(ctx context.Context, name string, d time.Duration, leases ...adapter.Lease) error {
	now, err := a.lock(ctx)
	if err != nil {
		return err
	}
	defer a.mu.Unlock()
	q := a.queues[name]
	if q == nil {
		q = &queue{a: a} // no lease is of it
	}
	q.advance(now)
	type part struct {
		r  *record
		in set
	}
	var parts []part
	var failed []adapter.ItemError
	for i, l := range leases {
		key, place, ok := parseLease(l)
		var r *record
		if ok {
			r = q.held(key, place)
		}
		if r == nil {
			failed = append(failed, adapter.ItemError{Index: i, Err: adapter.ErrLeaseLost})
			continue
		}
		if n := len(parts); n == 0 || parts[n-1].r != r {
			parts = append(parts, part{r: r})
		}
		parts[len(parts)-1].in.add(place)
	}
	for _, p := range parts {
		q.extend(p.r, p.in, after(now, d))
	}
	q.advance(now) // where d is 0
	q.wake(now)
	if len(failed) > 0 {
		return &adapter.PartialError{Items: failed}
	}
	return nil
}

// extend lets the lease of r's messages in s end at due. It may have run out.
func (q *queue) extend(r *record, s set, due int64) {
	if s = r.in.and(s); s.empty() {
		return // a second time in one call, and split off by the first
	}
	if s == r.in {
		q.unplace(r)
	} else {
		p := q.split(r, s)
		p.key, p.twin = r.key, r.twin
		r.twin = p
		r = p
	}
	q.hold(r, due)
}
