package javascript

import "context"

// status calls a function of hostfn that returns a status. In params, t is a text
// and i an integer.
func (v *vm) status(ctx context.Context, name, params string) value {
	n := 0
	for i := range params {
		if params[i] == 'i' {
			x, ok := v.integer(i)
			if !ok {
				return exception
			}
			v.room[n] = uint64(int64(x))
			n++
			continue
		}
		ptr, size, ok := v.text(i)
		if !ok {
			return exception
		}
		v.room[n], v.room[n+1] = uint64(ptr), uint64(size)
		n += 2
	}
	return number(v.host(ctx, name))
}

// host calls a function of hostfn on the interpreter's memory. Its parameters
// are in v.room.
func (v *vm) host(ctx context.Context, name string) int32 {
	if v.err != nil {
		return 0
	}
	v.engine.host[name].Call(ctx, v.module, v.room[:])
	return int32(v.room[0])
}

// How read makes a value of bytes.
const (
	asText = iota
	asBody
	asBytes
)

// read calls a function of hostfn that returns a length, and makes a value of
// what it wrote: null where it threw.
func (v *vm) read(ctx context.Context, name string, as int) value {
	ptr, n, err := v.fetch(ctx, name)
	if err != nil {
		return v.notRead(err)
	}
	defer v.release(ptr)
	switch as {
	case asBytes:
		return v.newBytes(ptr, n)
	case asBody:
		return v.decodeText(ptr, n)
	}
	return v.newText(ptr, n)
}

// notRead is what a script gets for what fetch failed at: null where the host's
// exception is to be thrown.
func (v *vm) notRead(err error) value {
	if err == errThrown {
		return null
	}
	return exception
}

// fetch has a function of hostfn write into the buffer, or into room that is made
// for it and that release frees. A zero follows what was written. It fails with
// errThrown where the function threw, and with errMemory where there is no room:
// then an exception is pending.
func (v *vm) fetch(ctx context.Context, name string) (ptr, n uint32, err error) {
	ptr, size := v.buffer, int32(bufferSize)
	for {
		v.room[0], v.room[1] = uint64(ptr), uint64(size-1)
		got := v.host(ctx, name)
		switch {
		case v.err != nil:
			return 0, 0, v.err
		case got < 0:
			return 0, 0, errThrown
		case got < size:
			v.expect(v.memory.WriteByte(ptr+uint32(got), 0))
			return ptr, uint32(got), nil
		}
		size = got + 1
		if ptr = v.allocate(int(size)); ptr == 0 {
			v.outOfMemory()
			return 0, 0, errMemory
		}
	}
}

// release frees what fetch made room for.
func (v *vm) release(ptr uint32) {
	if ptr != v.buffer {
		v.free(ptr)
	}
}
