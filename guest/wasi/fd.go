package wasi

import (
	"context"
	"io"

	"github.com/tetratelabs/wazero/api"
)

// The descriptors there are. Standard input is always at its end.
const (
	stdin  = 0
	stdout = 1
	stderr = 2
)

func (w *World) output(fd uint32) (io.Writer, bool) {
	var out io.Writer
	switch fd {
	case stdout:
		out = w.Stdout
	case stderr:
		out = w.Stderr
	default:
		return nil, false
	}
	if out == nil {
		out = io.Discard
	}
	return out, true
}

// fdWrite writes the buffers listed at args[1], args[2] of them, to descriptor
// args[0], and their total length to args[3].
func fdWrite(ctx context.Context, mod api.Module, args []uint64) errno {
	out, ok := worldOf(ctx, UsedOutput).output(uint32(args[0]))
	if !ok {
		return errBadf
	}
	var total uint32
	for view, e := range vectors(mod, args[1], args[2]) {
		if e != success {
			return e
		}
		if _, err := out.Write(view); err != nil {
			return errIO
		}
		total += uint32(len(view))
		if ctx.Err() != nil {
			break // a list of millions of buffers must not outlast the event
		}
	}
	return put32(mod, args[3], total)
}

// vectors walks an array of n (pointer, length) pairs at ptr.
func vectors(mod api.Module, ptr, n uint64) func(func([]byte, errno) bool) {
	return func(yield func([]byte, errno) bool) {
		mem := mod.Memory()
		for i := range uint64(uint32(n)) {
			at := uint64(uint32(ptr)) + 8*i
			if at > uint64(mem.Size()) {
				yield(nil, errFault)
				return
			}
			pair, ok := mem.Read(uint32(at), 8)
			if !ok {
				yield(nil, errFault)
				return
			}
			view, ok := mem.Read(le.Uint32(pair), le.Uint32(pair[4:]))
			if !ok {
				yield(nil, errFault)
				return
			}
			if !yield(view, success) {
				return
			}
		}
	}
}

// fdRead finds standard input at its end.
func fdRead(_ context.Context, mod api.Module, args []uint64) errno {
	if uint32(args[0]) != stdin {
		return errBadf
	}
	return put32(mod, args[3], 0)
}

// fdClose lets a guest close its standard descriptors, which stay usable: it
// is given nothing that could be closed.
func fdClose(_ context.Context, _ api.Module, args []uint64) errno {
	if uint32(args[0]) > stderr {
		return errBadf
	}
	return success
}

// fdFdstatGet describes a standard descriptor as a character device that may be
// read (standard input) or written.
func fdFdstatGet(_ context.Context, mod api.Module, args []uint64) errno {
	const (
		characterDevice = 2
		rightRead       = 1 << 1
		rightWrite      = 1 << 6
	)
	fd := uint32(args[0])
	if fd > stderr {
		return errBadf
	}
	stat, ok := mod.Memory().Read(uint32(args[1]), 24)
	if !ok {
		return errFault
	}
	clear(stat)
	stat[0] = characterDevice
	rights := uint64(rightWrite)
	if fd == stdin {
		rights = rightRead
	}
	le.PutUint64(stat[8:], rights)
	return success
}

func fdFdstatSetFlags(_ context.Context, _ api.Module, args []uint64) errno {
	if uint32(args[0]) > stderr {
		return errBadf
	}
	return success
}

// fdFilestatGet describes a standard descriptor as an empty character device.
func fdFilestatGet(_ context.Context, mod api.Module, args []uint64) errno {
	const characterDevice = 2
	if uint32(args[0]) > stderr {
		return errBadf
	}
	stat, ok := mod.Memory().Read(uint32(args[1]), 64)
	if !ok {
		return errFault
	}
	clear(stat)
	stat[16] = characterDevice
	return success
}
