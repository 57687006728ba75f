package wasi

import (
	"context"
	"crypto/rand"

	"github.com/tetratelabs/wazero/api"
)

// randomGet fills the range at args[0] of args[1] bytes with randomness fit for
// keys.
func randomGet(ctx context.Context, mod api.Module, args []uint64) errno {
	worldOf(ctx, UsedRandomness)
	buf, ok := mod.Memory().Read(uint32(args[0]), uint32(args[1]))
	if !ok {
		return errFault
	}
	rand.Read(buf)
	return success
}
