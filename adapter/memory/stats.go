package memory

import (
	"context"
	"math"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// oldest remembers what a long search for the oldest message found.
type oldest struct {
	enqueued int64
	until    int64 // the moment until which the answer holds
}

// Stats counts as it goes; only the oldest message is looked for.
func (a *Adapter) Stats(ctx context.Context, name string) (adapter.Stats, error) {
	now, err := a.lock(ctx)
	if err != nil {
		return adapter.Stats{}, err
	}
	defer a.mu.Unlock()
	q, err := a.existing(name, now)
	if err != nil {
		return adapter.Stats{}, err
	}
	s := adapter.Stats{
		Ready:   int64(q.count[ready]),
		Delayed: int64(q.count[delayed]),
		Leased:  int64(q.count[leased]),
		Bytes:   int64(q.bytes),
	}
	if q.backlog() > 0 {
		s.Oldest = time.UnixMilli(q.findOldest(now))
	}
	return s, nil
}

// findOldest walks the list of ages until no later record can be older: none
// was enqueued earlier than lag before its base. Delayed and moved messages
// make that far; then the answer is kept for a second.
func (q *queue) findOldest(now int64) int64 {
	if now < q.oldest.until {
		return q.oldest.enqueued
	}
	steps, found := len(q.delayed.nodes), int64(math.MaxInt64)
	for r := q.ages.head; r != nil && q.a.milli(r.base)-q.lag <= found; r = r.byAge.next {
		found = min(found, r.enqueued)
		steps++
	}
	for _, n := range q.delayed.nodes {
		found = min(found, n.r.enqueued)
	}
	q.oldest.enqueued = found
	if steps > 1000 {
		q.oldest.until = after(now, time.Second)
	}
	return found
}
