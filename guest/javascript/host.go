package javascript

import (
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
