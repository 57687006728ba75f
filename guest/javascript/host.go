package javascript

import (
	"bytes"
	"context"

	"github.com/tetratelabs/wazero/api"
)

// hostCall is what the interpreter calls for a function of Go, of which the
// prelude has some.
//
// # Parameters
//
//   - name, name_len: the function
//   - this: not used
//   - argc, argv: pointers to the arguments, which stay the interpreter's
//
// Result: a pointer to a new value, or 0 where an exception is pending.
func hostCall(ctx context.Context, _ api.Module, stack []uint64) {
	v := ctx.Value(vmKey{}).(*vm)
	v.args = arguments{n: uint32(stack[3]), at: uint32(stack[4])}
	name := v.view(uint32(stack[0]), uint32(stack[1]))
	result := v.operate(ctx, string(name))
	v.freeTexts()
	stack[0] = 0
	if !result.isException() {
		stack[0] = uint64(v.box(result))
	}
	if v.err != nil {
		panic(v.err)
	}
}

// hostModuleNormalize is asked for the name of a module that the script imports.
// There is none: it throws.
//
// # Parameters
//
//   - base, name: texts of C
//
// Result: 0, the exception is pending.
func hostModuleNormalize(ctx context.Context, _ api.Module, stack []uint64) {
	v := ctx.Value(vmKey{}).(*vm)
	out := v.block + atOut
	v.write64(out, uint64(uint32(stack[1])))
	v.do(jsThrowReferenceError, uint64(v.context), uint64(v.block+atImport), uint64(out))
	stack[0] = 0
	if v.err != nil {
		panic(v.err)
	}
}

// operate carries out the function of that name. It returns an exception that is
// pending.
func (v *vm) operate(ctx context.Context, name string) value {
	switch name {
	case "send":
		return v.status(ctx, name, "tti")
	case "send_batch":
		return v.status(ctx, name, "tt")
	case "ack":
		return v.status(ctx, name, "i")
	case "retry":
		return v.status(ctx, name, "ii")
	case "respond":
		return v.status(ctx, name, "itt")
	case "queue":
		return v.queueName(ctx)
	case "messages":
		return v.messageCount(ctx)
	case "id":
		return v.message(messageID)
	case "attempts":
		return v.message(messageAttempts)
	case "timestamp":
		return v.message(messageTimestamp)
	case "body":
		return v.message(messageBody)
	case "answer":
		return v.answer(ctx)
	case "request":
		return v.request(ctx)
	case "event_kind", "read_batch", "read_request", "exception_message":
		return v.read(ctx, name, asText)
	case "read_body":
		return v.read(ctx, name, asBody)
	case "read_bytes":
		return v.read(ctx, "read_body", asBytes)
	case "print":
		return v.print(ctx)
	case "random":
		return v.random(ctx)
	case "fill":
		return v.fill(ctx)
	case "encode":
		return v.encode()
	case "decode":
		return v.decode()
	}
	return v.wrong()
}

// wrong throws for arguments that the prelude does not make, unless the script
// has replaced what the prelude makes them with.
func (v *vm) wrong() value {
	v.do(jsThrowTypeError, uint64(v.context), uint64(v.block+atWrong), 0)
	return exception
}

// box puts a value where the interpreter takes it over.
func (v *vm) box(x value) uint32 {
	ptr := v.allocate(8)
	if ptr == 0 {
		v.outOfMemory()
		return 0
	}
	v.write64(ptr, uint64(x))
	return ptr
}

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

// answer responds to the request. Arguments are the status, the number of texts
// that the headers have, those texts with zeros in between, and the body.
func (v *vm) answer(ctx context.Context) value {
	code, hasCode := v.integer(0)
	count, hasCount := v.integer(1)
	ptr, n, hasHeader := v.text(2)
	body, size, hasBody := v.text(3)
	if !hasCode || !hasCount || !hasHeader || !hasBody {
		return exception
	}
	header := appendHeader(v.header[:0], v.view(ptr, n), int(count))
	v.header = header
	to := v.put(header)
	if to == 0 {
		return exception
	}
	defer v.release(to)
	v.room = [5]uint64{uint64(uint32(code)), uint64(to), uint64(len(header)), uint64(body), uint64(size)}
	return number(v.host(ctx, "respond"))
}

// appendHeader appends the JSON text that respond takes, or one that it refuses
// where a name or a value has a zero.
func appendHeader(dst, list []byte, count int) []byte {
	if count == 0 {
		return append(dst, "[]"...)
	}
	if bytes.Count(list, []byte{0}) != count-1 {
		return append(dst, "0"...)
	}
	before := "[["
	for i := range count {
		text, rest, _ := bytes.Cut(list, []byte{0})
		list = rest
		dst = appendQuoted(append(dst, before...), text)
		before = ","
		if i%2 == 1 {
			before = "],["
		}
	}
	return append(dst, "]]"...)
}

// appendQuoted appends a JSON string. Bytes that are not UTF-8 stay: the text is
// refused for them.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"', c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
