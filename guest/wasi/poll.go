package wasi

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/tetratelabs/wazero/api"
)

const (
	subscriptionSize = 48
	eventSize        = 32
	absoluteTime     = 1 // flag of a clock subscription
)

// The kinds of subscription.
const (
	onClock = 0
	onRead  = 1
	onWrite = 2
)

// pollOneoff waits for the first of the subscriptions at args[0], args[2] of
// them, and writes what came to pass to args[1] and its number to args[3]. The
// standard descriptors are always ready. It returns early when the event's
// context ends, and the call into the guest ends with it.
func pollOneoff(ctx context.Context, mod api.Module, args []uint64) errno {
	worldOf(ctx, UsedPolling)
	n := uint32(args[2])
	if n == 0 {
		return errInval
	}
	mem := mod.Memory()
	if uint64(n)*subscriptionSize > uint64(mem.Size()) {
		return errFault
	}
	subs, ok := mem.Read(uint32(args[0]), n*subscriptionSize)
	if !ok {
		return errFault
	}
	events, ok := mem.Read(uint32(args[1]), n*eventSize)
	if !ok {
		return errFault
	}
	waits := make([]time.Duration, n)
	for i := range waits {
		waits[i] = waitOf(subs[i*subscriptionSize:])
	}
	first := slices.Min(waits)
	sleep(ctx, first)
	return put32(mod, args[3], answer(subs, events, waits, first))
}

// waitOf returns how long a subscription waits: 0 for all but clocks, which are
// answered at once.
func waitOf(sub []byte) time.Duration {
	at, known := now(le.Uint32(sub[16:]))
	if sub[8] != onClock || !known {
		return 0
	}
	d := le.Uint64(sub[24:])
	if le.Uint16(sub[40:])&absoluteTime != 0 {
		d -= min(at, d)
	}
	return time.Duration(min(d, math.MaxInt64))
}

func sleep(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// answer writes an event for each subscription that waited no longer than the
// first, and returns their number.
func answer(subs, events []byte, waits []time.Duration, first time.Duration) (n uint32) {
	for i, d := range waits {
		if d > first {
			continue
		}
		// The two lists may overlap in a hostile guest: read first, then write.
		sub := [subscriptionSize]byte(subs[i*subscriptionSize:])
		out := events[n*eventSize:][:eventSize]
		clear(out)
		copy(out[:8], sub[:8]) // the guest's own mark
		le.PutUint16(out[8:], uint16(outcome(sub[:])))
		out[10] = sub[8]
		n++
	}
	return n
}

func outcome(sub []byte) errno {
	id := le.Uint32(sub[16:])
	switch kind := sub[8]; {
	case kind == onClock && id <= monotonic,
		kind == onRead && id == stdin,
		kind == onWrite && (id == stdout || id == stderr):
		return success
	case kind == onClock:
		return errInval
	}
	return errBadf
}
