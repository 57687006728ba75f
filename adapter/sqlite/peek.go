package sqlite

import (
	"context"
	"math"

	"github.com/wazqueue/wazqueue/adapter"
)

// Peek implements adapter.Adapter.
func (a *Adapter) Peek(ctx context.Context, queue string, limit int) (ds []adapter.Delivery, err error) {
	err = a.read(ctx, "peek", func(v *view) error {
		q, err := v.queue(queue)
		if err != nil {
			return err
		}
		ds, err = v.peek(q, limit)
		return err
	})
	return ds, err
}

func (v *view) peek(q *queue, limit int) ([]adapter.Delivery, error) {
	cutoff := q.cutoff(v.now)
	ready := func(p *picks) error {
		if err := v.db.pickReady(p, q.id, cutoff, v.now); err != nil {
			return err
		}
		return v.db.pickEnded(p, q.id, cutoff, math.MinInt64, v.now)
	}
	delayed := func(p *picks) error { return v.db.pickReady(p, q.id, v.now, math.MaxInt64) }
	leased := func(p *picks) error { return v.db.pickEnded(p, q.id, cutoff, v.now, math.MaxInt64) }

	ds := []adapter.Delivery{}
	for _, find := range []func(*picks) error{ready, delayed, leased} {
		p := &picks{limit: limit - len(ds)}
		if p.limit <= 0 {
			break
		}
		if err := find(p); err != nil {
			return nil, err
		}
		for i := range p.list {
			if err := v.show(&ds, &p.list[i].record, limit); err != nil {
				return nil, err
			}
		}
	}
	return ds, nil
}

// show appends r's messages up to the limit.
func (v *view) show(ds *[]adapter.Delivery, r *record, limit int) (err error) {
	var c *chunk
	if r.chunk != 0 && len(*ds) < limit {
		if c, err = v.db.readChunk(r.chunk); err != nil {
			return err
		}
		if r.hi > len(c.types) {
			return errDamaged
		}
	}
	for i := 0; i < r.len() && len(*ds) < limit; i++ {
		d := r.delivery(i, c)
		d.Attempts++
		d.ID = string(r.identity.appendID(nil, r.first+i))
		*ds = append(*ds, d)
	}
	return nil
}
