package consumer

import (
	"context"
	"errors"
	"slices"

	"github.com/wazqueue/wazqueue/adapter"
)

// settle settles a part, once, with a list that is repeated as it is while the
// store fails. ends says what the list means; what came out differently is
// changed in it. It gives up when Run's last phase ends, or the adapter closed.
func (e *engine) settle(p phases, h *holding, pt *part, list []adapter.Settlement, ends []end) {
	defer h.settled(pt)
	var open []int // the indices that are not settled, once some are not
	for try := 1; ; try++ {
		err := e.settleOnce(p, list)
		if err != nil && open == nil {
			open = all(len(list))
		}
		open = unsettledAfter(err, open, func(i int) {
			// In a repetition it is ours that was done but not heard of.
			if try == 1 || pt.lost != nil && pt.lost[i] {
				ends[i] = lost
			}
		})
		if len(open) == 0 {
			e.logEnds(pt.deliveries, list, ends)
			if try > 1 {
				e.Log.Info("settling works again", "messages", ids(pt.deliveries), "failures", try-1)
			}
			return
		}
		if p.settle.Err() != nil || errors.Is(err, adapter.ErrClosed) {
			for _, i := range open {
				ends[i] = unsettled
			}
			e.logEnds(pt.deliveries, list, ends)
			e.Log.Error("settling given up: the messages come again when their leases end", "messages", ids(pt.deliveries), "error", err)
			return
		}
		if try == 1 {
			e.Log.Warn("settling failed, repeating until it works", "messages", ids(pt.deliveries), "error", err)
		}
		sleep(p.settle, backoff(try))
	}
}

func (e *engine) settleOnce(p phases, list []adapter.Settlement) error {
	ctx, cancel := context.WithTimeout(p.settle, callTime)
	defer cancel()
	return e.Adapter.Settle(ctx, e.Queue, list...)
}

// unsettledAfter returns those of open that a Settle which returned err has not
// settled, and calls gone for those whose leases are lost.
func unsettledAfter(err error, open []int, gone func(i int)) []int {
	if err == nil {
		return nil
	}
	partial, ok := errors.AsType[*adapter.PartialError](err)
	if !ok {
		return open
	}
	failed := make(map[int]error, len(partial.Items))
	for _, it := range partial.Items {
		failed[it.Index] = it.Err
	}
	return slices.DeleteFunc(open, func(i int) bool {
		if errors.Is(failed[i], adapter.ErrLeaseLost) {
			gone(i)
			return true
		}
		return failed[i] == nil
	})
}

func all(n int) []int {
	is := make([]int, n)
	for i := range is {
		is[i] = i
	}
	return is
}
