package consumer

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// holding is one received batch in a worker's hands. It renews the leases of
// what is not settled yet: of the event that runs, of those that wait behind
// it, and of what is being settled while the store cannot be reached.
type holding struct {
	e    *engine
	dead part // whose attempts were used up before; may be empty

	mu      sync.Mutex
	events  []*part
	started int // of events; the others wait
	timer   *time.Timer
	cancel  context.CancelFunc // of the Extend that is running
	calls   sync.WaitGroup     // the Extend that is running
	failing bool               // the last Extend failed
	dropped bool

	together part     // the first of events, most often the only one
	one      [1]*part // where events is then
}

// part is those messages of a batch that are settled together.
type part struct {
	deliveries []adapter.Delivery
	lost       []bool                  // by index, nil while none is
	cancel     context.CancelCauseFunc // of the event, while it runs
	settling   bool                    // who settles it learns of lost leases by that
	settled    bool
}

// hold sorts a batch into parts and starts to renew its leases.
func (e *engine) hold(p phases, ds []adapter.Delivery) *holding {
	h := &holding{e: e}
	h.split(ds)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(e.Lease/3, func() { h.renew(p) })
	return h
}

// split keeps the slice for the messages that go together, which most often are
// all.
func (h *holding) split(ds []adapter.Delivery) {
	together, alone := ds[:0], []*part(nil)
	for i, d := range ds {
		switch {
		case d.Attempts > 1+h.e.policy.MaxRetries:
			h.dead.deliveries = append(h.dead.deliveries, d)
		case h.e.Alone != nil && h.e.Alone(d):
			alone = append(alone, &part{deliveries: []adapter.Delivery{d}})
		case len(together) == i:
			together = ds[:i+1]
		default:
			together = append(together, d)
		}
	}
	h.events = h.one[:0]
	if len(together) > 0 {
		h.together.deliveries = together
		h.events = append(h.events, &h.together)
	}
	h.events = append(h.events, alone...)
}

// next takes the part that is to start, nil where none waits.
func (h *holding) next() *part {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.started == len(h.events) {
		return nil
	}
	h.started++
	return h.events[h.started-1]
}

// rest takes all parts that wait, as one.
func (h *holding) rest() *part {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := &part{}
	for _, pt := range h.events[h.started:] {
		all.deliveries = append(all.deliveries, pt.deliveries...)
	}
	h.events = append(h.events[:h.started], all)
	h.started = len(h.events)
	return all
}

// begin says that an event runs on pt, which cancel ends when all of its leases
// are lost. It returns false if they are lost already.
func (h *holding) begin(pt *part, cancel context.CancelCauseFunc) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if pt.allLost() {
		return false
	}
	pt.cancel = cancel
	return true
}

// settling says that pt's event, if it had one, is over.
func (h *holding) settling(pt *part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	pt.settling, pt.cancel = true, nil
}

// settled ends the renewal of pt's leases.
func (h *holding) settled(pt *part) {
	h.mu.Lock()
	defer h.mu.Unlock()
	pt.settled = true
}

// drop ends all renewal and waits for it to end.
func (h *holding) drop() {
	h.mu.Lock()
	h.dropped = true
	h.timer.Stop()
	if h.cancel != nil {
		h.cancel()
	}
	h.mu.Unlock()
	h.calls.Wait()
}

func (pt *part) allLost() bool { return pt.lost != nil && !slices.Contains(pt.lost, false) }
