package wasi

import (
	"context"

	"github.com/tetratelabs/wazero/api"
)

func argsGet(ctx context.Context, mod api.Module, args []uint64) errno {
	return putStrings(mod, args, worldOf(ctx, UsedArguments).Args)
}

func argsSizesGet(ctx context.Context, mod api.Module, args []uint64) errno {
	return putSizes(mod, args, worldOf(ctx, UsedArguments).Args)
}

func environGet(ctx context.Context, mod api.Module, args []uint64) errno {
	return putStrings(mod, args, worldOf(ctx, UsedEnvironment).Env)
}

func environSizesGet(ctx context.Context, mod api.Module, args []uint64) errno {
	return putSizes(mod, args, worldOf(ctx, UsedEnvironment).Env)
}

// putSizes writes the number of strings to args[0] and the bytes they take,
// each with a zero behind it, to args[1].
func putSizes(mod api.Module, args []uint64, list []string) errno {
	size := 0
	for _, s := range list {
		size += len(s) + 1
	}
	if e := put32(mod, args[0], uint32(len(list))); e != success {
		return e
	}
	return put32(mod, args[1], uint32(size))
}

// putStrings writes the strings, each with a zero behind it, to args[1] and
// pointers to them to args[0].
func putStrings(mod api.Module, args []uint64, list []string) errno {
	mem := mod.Memory()
	ptr, text := uint32(args[0]), uint32(args[1])
	for _, s := range list {
		if !mem.WriteUint32Le(ptr, text) || !mem.WriteString(text, s) || !mem.WriteByte(text+uint32(len(s)), 0) {
			return errFault
		}
		ptr += 4
		text += uint32(len(s)) + 1
	}
	return success
}
