package sqlite

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/wazqueue/wazqueue/adapter"
)

// Purge implements adapter.Adapter.
func (a *Adapter) Purge(ctx context.Context, queue string, ids ...string) (int, error) {
	if len(ids) > 0 {
		return a.purgeSome(ctx, queue, ids)
	}
	var n int64
	var found bool
	err := a.do(ctx, "purge", &request{run: func(t *tx) error {
		q, err := t.queue(queue)
		if found = q != nil; !found || err != nil {
			return err
		}
		n, err = t.purgeAll(q)
		return err
	}})
	if err == nil && !found {
		err = adapter.ErrQueueNotFound
	}
	return int(n), err
}

// purgeAll gives the queue's name to a new row, which has no records, and
// leaves the old row's to the sweep. However many there are it takes no time.
func (t *tx) purgeAll(q *queue) (int64, error) {
	sums, err := t.db.sums(q.id, t.now, q.cutoff(t.now))
	if err != nil {
		return 0, err
	}
	n := q.n - sums.expired
	if err := t.doom(q); err != nil {
		return 0, err
	}
	_, err = t.insertQueue(q)
	return n, err
}

// wanted are the ids of a Purge by the number they begin with.
type wanted map[[12]byte][]identity

func parseIDs(ids []string) wanted {
	w := wanted{}
	for _, id := range ids {
		var b identity
		if len(id) != idLen {
			continue
		}
		if _, err := hex.Decode(b[:], []byte(id)); err != nil || hex.EncodeToString(b[:]) != id {
			continue
		}
		key := [12]byte(b[:12])
		if !slices.Contains(w[key], b) {
			w[key] = append(w[key], b)
		}
	}
	return w
}

// in are the places of wanted messages in a record.
func (w wanted) in(r *record) (places []int) {
	for _, id := range w[[12]byte(r.identity[:12])] {
		if i, ok := r.identity.indexOf(id); ok && i >= r.first && i < r.first+r.len() {
			places = append(places, i-r.first)
		}
	}
	return places
}

// spot is a row that has wanted messages.
type spot struct {
	lease   bool
	due, id int64
}

// purgeSome looks for the messages without holding up the writer, and then
// has it remove them where they were seen. Only if they have moved meanwhile
// does the writer look for itself.
func (a *Adapter) purgeSome(ctx context.Context, queue string, ids []string) (int, error) {
	var spots []spot
	found := false
	want := parseIDs(ids)
	err := a.read(ctx, "purge", func(v *view) error {
		q, err := v.db.findQueue(queue)
		if found = q != nil; !found || err != nil {
			return err
		}
		spots, err = v.db.spots(q.id, want)
		return err
	})
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, adapter.ErrQueueNotFound
	case len(spots) == 0:
		return 0, nil
	}
	n := 0
	err = a.do(ctx, "purge", &request{run: func(t *tx) error {
		q, err := t.queue(queue)
		if n = 0; q == nil || err != nil {
			return err
		}
		n, err = t.purgeSpots(q, want, spots)
		return err
	}})
	return n, err
}

// spots finds the rows of a queue that have wanted messages.
func (c *conn) spots(queue int64, want wanted) (spots []spot, err error) {
	err = c.query("select due, id, rec from r where q=?", func(row values) error {
		p, err := scanReady(row)
		if err == nil && len(want.in(&p.record)) > 0 {
			spots = append(spots, spot{due: p.due, id: p.id})
		}
		return err
	}, queue)
	if err != nil {
		return nil, err
	}
	err = c.query("select id, q, deadline, recs from l where q=?", func(row values) error {
		l, err := scanLease(row)
		if err == nil && len(l.places(want)) > 0 {
			spots = append(spots, spot{lease: true, id: l.id})
		}
		return err
	}, queue)
	return spots, err
}

// places are the places of wanted messages under a lease.
func (l *leaseRow) places(want wanted) (all []int) {
	for i := range l.recs {
		for _, at := range want.in(&l.recs[i].record) {
			all = append(all, l.recs[i].pos+at)
		}
	}
	return all
}
