package wasi

import (
	"context"
	"time"

	"github.com/tetratelabs/wazero/api"
)

// The clocks there are; those of processor time are not.
const (
	realtime  = 0
	monotonic = 1
)

// start is what the monotonic clock counts from.
var start = time.Now()

func now(clock uint32) (uint64, bool) {
	switch clock {
	case realtime:
		return uint64(time.Now().UnixNano()), true
	case monotonic:
		return uint64(time.Since(start)), true
	}
	return 0, false
}

func clockTimeGet(ctx context.Context, mod api.Module, args []uint64) errno {
	worldOf(ctx, UsedClock)
	t, ok := now(uint32(args[0]))
	if !ok {
		return errInval
	}
	return put64(mod, args[2], t)
}

func clockResGet(ctx context.Context, mod api.Module, args []uint64) errno {
	worldOf(ctx, UsedClock)
	if _, ok := now(uint32(args[0])); !ok {
		return errInval
	}
	return put64(mod, args[1], 1) // nanosecond
}
