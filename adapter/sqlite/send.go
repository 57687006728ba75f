package sqlite

import (
	"context"
	"fmt"

	"github.com/wazqueue/wazqueue/adapter"
)

// Send implements adapter.Adapter. A full disk is an error of the store and
// not adapter.Refused: it is for the operator to read and mend, not for the
// guest, and Settle meets it just the same.
func (a *Adapter) Send(ctx context.Context, queue string, msgs ...adapter.Message) error {
	if len(msgs) == 0 {
		return a.idle(ctx)
	}
	if err := checkName(queue); err != nil {
		return err
	}
	if err := refuse(msgs); err != nil {
		return err
	}
	return a.do(ctx, "send", &request{queue: queue, msgs: msgs})
}

// maxBody is well below the length that SQLite allows a row.
const maxBody = 512 << 20

// refuse names what could never be stored.
func refuse(msgs []adapter.Message) error {
	for _, m := range msgs {
		if len(m.Body) > maxBody {
			return adapter.Refused{Reason: fmt.Sprintf("message larger than %d bytes", maxBody)}
		}
		if m.Type > adapter.Bytes {
			return adapter.Refused{Reason: fmt.Sprintf("unknown content type %d", m.Type)}
		}
	}
	return nil
}

// group is the messages of one queue that become ready together, in the order
// they came. What came in one send stands from one of starts to the next.
type group struct {
	queue  *queue
	due    int64
	msgs   []message
	starts []int
	last   *request
}

type groupKey struct{ queue, due int64 }

// sends stores what all sends of the transaction bring. Small ones that become
// ready together share a chunk.
func (t *tx) sends(reqs []*request) error {
	groups := map[groupKey]*group{}
	var order []*group
	for _, r := range reqs {
		q, err := t.open(r.queue)
		if err != nil {
			return err
		}
		for i := range r.msgs {
			m := &r.msgs[i]
			due := after(t.clock, m.Delay.Or(q.settings.DeliveryDelay))
			g := groups[groupKey{q.id, due}]
			if g == nil {
				g = &group{queue: q, due: due}
				if i == 0 { // mostly they all go together
					g.msgs = make([]message, 0, len(r.msgs))
				}
				groups[groupKey{q.id, due}] = g
				order = append(order, g)
			}
			if g.last != r {
				g.last, g.starts = r, append(g.starts, len(g.msgs))
			}
			g.msgs = append(g.msgs, message{m.Type, m.Body})
		}
	}
	for _, g := range order {
		if err := t.keep(g); err != nil {
			return err
		}
	}
	return nil
}

// keep stores a group, with a send that fits a chunk never in two.
func (t *tx) keep(g *group) error {
	from := 0
	for i, start := range g.starts {
		end := len(g.msgs)
		if i+1 < len(g.starts) {
			end = g.starts[i+1]
		}
		if end-from > maxChunk && start > from {
			if err := t.keepRun(g, g.msgs[from:start]); err != nil {
				return err
			}
			from = start
		}
	}
	return t.keepRun(g, g.msgs[from:])
}

// keepRun stores messages in as few records as the bounds of a chunk allow.
func (t *tx) keepRun(g *group, msgs []message) error {
	for len(msgs) > 0 {
		n, size := 0, 0
		for n < min(len(msgs), maxChunk) && (n == 0 || size+len(msgs[n].body) <= maxChunkBytes) {
			size += len(msgs[n].body)
			n++
		}
		r := record{enqueued: t.now, entered: t.now}
		t.fill(r.identity[:])
		if err := t.pack(&r, msgs[:n]); err != nil {
			return err
		}
		g.queue.n += int64(n)
		g.queue.bytes += int64(size)
		if err := t.put(g.queue, g.due, &r); err != nil {
			return err
		}
		msgs = msgs[n:]
	}
	return nil
}
