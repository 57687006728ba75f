package javascript

import "context"

// print writes a line: argument 0 is the descriptor, 1 the text.
func (v *vm) print(ctx context.Context) value {
	fd, ok := v.integer(0)
	ptr, n, hasText := v.text(1)
	if !ok || !hasText {
		return exception
	}
	vectors := v.block + atVectors
	v.write64(vectors, uint64(n)<<32|uint64(ptr))
	v.write64(vectors+8, 1<<32|uint64(v.block+atNewline))
	v.room = [5]uint64{uint64(fd), uint64(vectors), 2, uint64(v.block + atOut)}
	if v.err == nil {
		v.engine.fdWrite.Call(ctx, v.module, v.room[:])
	}
	return undefined
}

// random is a number from 0 to below 1.
func (v *vm) random(ctx context.Context) value {
	out := v.block + atOut
	v.getRandom(ctx, out, 8)
	return double(float64(v.read64(out)>>11) / (1 << 53))
}

// fill fills argument 0, a Uint8Array, with randomness.
func (v *vm) fill(ctx context.Context) value {
	ptr, n, ok := v.text(0)
	if !ok {
		return exception
	}
	v.getRandom(ctx, ptr, n)
	return undefined
}

func (v *vm) getRandom(ctx context.Context, ptr, n uint32) {
	v.room = [5]uint64{uint64(ptr), uint64(n)}
	if v.err == nil {
		v.engine.randomGet.Call(ctx, v.module, v.room[:])
	}
}

// encode makes UTF-8 of argument 0.
func (v *vm) encode() value {
	ptr, n, ok := v.text(0)
	if !ok {
		return exception
	}
	return v.newBytes(ptr, n)
}

// decode makes a string of argument 0, bytes that should be UTF-8.
func (v *vm) decode() value {
	ptr, n, ok := v.text(0)
	if !ok {
		return exception
	}
	return v.decodeText(ptr, n)
}
