package memory

import (
	"context"
	"slices"
)

// Purge with ids looks at every record of the queue, since messages are not
// indexed by id: it is an operator's call.
func (a *Adapter) Purge(ctx context.Context, name string, ids ...string) (int, error) {
	now, err := a.lock(ctx)
	if err != nil {
		return 0, err
	}
	defer a.mu.Unlock()
	q, err := a.existing(name, now)
	if err != nil {
		return 0, err
	}
	before := q.backlog()
	if len(ids) == 0 {
		q.clear()
	} else {
		q.remove(a.numbers(ids))
	}
	q.wake(now)
	return before - q.backlog(), nil
}

func (q *queue) backlog() int { return q.count[ready] + q.count[delayed] + q.count[leased] }

// numbers are those of the messages with these ids, in ascending order.
func (a *Adapter) numbers(ids []string) []uint64 {
	var ns []uint64
	for _, id := range ids {
		if n, ok := a.number(id); ok {
			ns = append(ns, n)
		}
	}
	slices.Sort(ns)
	return slices.Compact(ns)
}

// remove drops the messages with these numbers.
func (q *queue) remove(numbers []uint64) {
	type spot struct {
		r *record
		i int
	}
	var spots []spot
	for r := range q.all {
		k, _ := slices.BinarySearch(numbers, r.number)
		for ; k < len(numbers) && numbers[k]-r.number < uint64(r.count()); k++ {
			if i := int(numbers[k] - r.number); r.in.has(i) {
				spots = append(spots, spot{r, i})
			}
		}
	}
	for _, s := range spots {
		q.drop(s.r, s.i)
	}
}

// all yields every record.
func (q *queue) all(yield func(*record) bool) {
	for r := q.ready.head; r != nil; r = r.byReady.next {
		if !yield(r) {
			return
		}
	}
	for _, h := range []*heap{&q.delayed, &q.leased} {
		for _, n := range h.nodes {
			if !yield(n.r) {
				return
			}
		}
	}
}
