package memory

import (
	"strings"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// grant is what a delivery is made of: a copy of what was leased, since the
// record may be settled while the delivery is made.
type grant struct {
	packed
	in       set
	attempts int
	origin   *adapter.Origin
	key      uint64 // none for a peek
}

func (r *record) grant() grant {
	return grant{packed: r.packed, in: r.in, attempts: r.attempts, origin: r.origin, key: r.key}
}

// deliveries makes the deliveries outside the mutex, at most limit of them. All
// their ids and leases are parts of one string.
func (a *Adapter) deliveries(granted []grant, limit int) []adapter.Delivery {
	n := 0
	for i := range granted {
		n += granted[i].in.len()
	}
	n = min(n, limit)
	ds := make([]adapter.Delivery, 0, n)
	var texts strings.Builder
	texts.Grow(n * (idLen + leaseLen))
	var text [idLen + leaseLen]byte
	for i := range granted {
		g := &granted[i]
		enqueued := time.UnixMilli(g.enqueued)
		for j := range g.in.all {
			if len(ds) == n {
				break
			}
			a.putID(text[:idLen], g.number+uint64(j))
			putLease(text[idLen:], g.key, j)
			from := texts.Len()
			texts.Write(text[:])
			d := adapter.Delivery{
				ID:       texts.String()[from : from+idLen],
				Attempts: g.attempts,
				Enqueued: enqueued,
				Type:     g.kind(j),
				Body:     g.body(j),
			}
			if g.key != 0 {
				d.Lease = adapter.Lease(texts.String()[from+idLen:])
			}
			if g.origin != nil {
				d.Origin = *g.origin
			}
			ds = append(ds, d)
		}
	}
	return ds
}
