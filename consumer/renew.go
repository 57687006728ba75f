package consumer

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/wazqueue/wazqueue/adapter"
)

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

// leases are those to renew.
func (h *holding) leases() (leases []adapter.Lease, owners []owner) {
	for _, pt := range append(h.events[:len(h.events):len(h.events)], &h.dead) {
		if pt.settled {
			continue
		}
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
