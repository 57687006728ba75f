package consumer

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// holding is one received batch in a worker's hands. It renews the leases of
// what is not settled yet: of the event that runs, of those that wait behind
// it, and of what is being settled while the store cannot be reached.
type holding struct {
	e *engine

	mu      sync.Mutex
	held    []*part // not settled
	waiting []*part // of these, what has not started
	timer   *time.Timer
	cancel  context.CancelFunc // of the Extend that is running
	calls   sync.WaitGroup     // the Extend that is running
	failing bool               // the last Extend failed
	dropped bool
}

// part is those messages of a batch that are settled together.
type part struct {
	deliveries []adapter.Delivery
	lost       []bool                  // by index, nil while none is
	cancel     context.CancelCauseFunc // of the event, while it runs
	settling   bool                    // who settles it learns of lost leases by that
}

// hold starts to renew the batch's leases. dead is settled by the caller,
// events are for next.
func (e *engine) hold(p phases, dead *part, events []*part) *holding {
	h := &holding{e: e, held: append(slices.Clone(events), dead), waiting: events}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(e.Lease/3, func() { h.renew(p) })
	return h
}

// next takes the part that is to start, nil where none waits.
func (h *holding) next() *part {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) == 0 {
		return nil
	}
	pt := h.waiting[0]
	h.waiting = h.waiting[1:]
	return pt
}

// rest takes all parts that wait, as one.
func (h *holding) rest() *part {
	h.mu.Lock()
	defer h.mu.Unlock()
	all := &part{}
	for _, pt := range h.waiting {
		all.deliveries = append(all.deliveries, pt.deliveries...)
	}
	h.held = append(slices.DeleteFunc(h.held, func(pt *part) bool { return slices.Contains(h.waiting, pt) }), all)
	h.waiting = nil
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
	h.held = slices.DeleteFunc(h.held, func(other *part) bool { return other == pt })
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

// renew extends all leases of the holding once. It is the timer's.
func (h *holding) renew(p phases) {
	h.mu.Lock()
	leases, owners := h.leases()
	if h.dropped || len(leases) == 0 {
		h.mu.Unlock()
		return
	}
	ctx, cancel := context.WithTimeout(p.settle, h.e.Lease/3)
	defer cancel()
	h.cancel = cancel
	h.calls.Add(1)
	defer h.calls.Done()
	h.mu.Unlock()

	err := h.e.Adapter.Extend(ctx, h.e.Queue, h.e.Lease, leases...)

	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.dropped && p.settle.Err() == nil {
		h.renewed(err, owners)
	}
}

// owner is where a lease belongs.
type owner struct {
	pt *part
	i  int
}

func (h *holding) leases() (leases []adapter.Lease, owners []owner) {
	for _, pt := range h.held {
		for i, d := range pt.deliveries {
			if pt.lost == nil || !pt.lost[i] {
				leases, owners = append(leases, d.Lease), append(owners, owner{pt, i})
			}
		}
	}
	return leases, owners
}

// renewed takes note of an Extend's result and sets the time of the next. A
// failure that is not a loss costs nothing while the store says nothing else:
// it is tried again soon.
func (h *holding) renewed(err error, owners []owner) {
	failed := err
	if partial, ok := errors.AsType[*adapter.PartialError](err); ok {
		failed = nil
		for _, it := range partial.Items {
			if !errors.Is(it.Err, adapter.ErrLeaseLost) {
				failed = it.Err
			} else if it.Index >= 0 && it.Index < len(owners) {
				h.lose(owners[it.Index])
			}
		}
	}
	soon := h.e.Lease / 20
	switch {
	case failed == nil:
		h.failing = false
		h.timer.Reset(h.e.Lease / 3)
	case errors.Is(failed, errors.ErrUnsupported):
		h.e.unsupported.Do(func() {
			h.e.Log.Warn("the store cannot renew leases: an event longer than its lease runs twice", "lease", h.e.Lease)
		})
	default:
		if !h.failing {
			h.e.Log.Warn("renewing leases failed, repeating until it works", "error", failed)
		}
		h.failing = true
		h.timer.Reset(soon + rand.N(soon))
	}
}

// lose drops one lease, and ends an event that has none left.
func (h *holding) lose(o owner) {
	if o.pt.settling {
		return
	}
	if o.pt.lost == nil {
		o.pt.lost = make([]bool, len(o.pt.deliveries))
	}
	o.pt.lost[o.i] = true
	h.e.Log.Warn("lease lost while the message was in work", "message", o.pt.deliveries[o.i].ID)
	if o.pt.cancel != nil && o.pt.allLost() {
		o.pt.cancel(ErrLeasesLost)
	}
}
