package memory

import (
	"context"

	"github.com/wazqueue/wazqueue/adapter"
)

// Peek costs by how many it returns, not by how many there are.
func (a *Adapter) Peek(ctx context.Context, name string, limit int) ([]adapter.Delivery, error) {
	now, err := a.lock(ctx)
	if err != nil {
		return nil, err
	}
	q, err := a.existing(name, now)
	if err != nil {
		a.mu.Unlock()
		return nil, err
	}
	var seen []grant
	left := limit
	look := func(r *record) bool {
		if left <= 0 {
			return false
		}
		if !r.aged {
			g := r.grant()
			g.attempts, g.key = r.attempts+1, 0
			seen = append(seen, g)
			left -= g.in.len()
		}
		return true
	}
	for r := q.ready.head; r != nil && look(r); r = r.byReady.next {
	}
	q.delayed.sorted(look)
	q.leased.sorted(look)
	a.mu.Unlock()
	return a.deliveries(seen, max(0, limit)), nil
}
