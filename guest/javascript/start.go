package javascript

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed prelude/*.js
var preludeFiles embed.FS

// preludeText is a function of what the prelude is made of.
func preludeText() []byte {
	var b bytes.Buffer
	b.WriteString("(function (host, variables, queues) { \"use strict\";\n")
	for _, name := range []string{"errors", "text", "console", "random", "url", "http", "queue", "chinese", "entry"} {
		text, err := preludeFiles.ReadFile("prelude/" + name + ".js")
		if err != nil {
			panic(err) // it is embedded
		}
		b.Write(text)
	}
	b.WriteString("return { " + strings.Join(glueNames[:], ", ") + " };\n})")
	return b.Bytes()
}

// functionsOfGo are those that operate carries out.
var functionsOfGo = []string{
	"send", "send_batch", "ack", "retry", "respond", "event_kind", "read_batch", "read_request", "exception_message",
	"read_body", "read_bytes", "queue", "messages", "id", "attempts", "timestamp", "body", "request", "answer",
	"print", "random", "fill", "encode", "decode",
}

const (
	// intrinsics are the built-in objects there can be, without performance,
	// which keeps the time at which the interpreter started.
	intrinsics = 0x1fff &^ (1 << 10)
	// stackSize is how much of the stack of 1 MiB JavaScript may use.
	stackSize = 512 << 10
	// fixedSize is the memory that the stack and the interpreter's data take.
	fixedSize = 18 << 16
)

// Boot implements guest.Script.
func (v *vm) Boot(ctx context.Context) error {
	v.ctx.Context = ctx
	v.once("qjs_init2", intrinsics)
	v.once("qjs_set_memory_limit", heapLimit(v.engine.memoryMiB))
	v.once("qjs_set_max_stack_size", stackSize)
	v.once("qjs_set_promise_rejection_handler", 1)
	v.once("qjs_set_module_loader", 1)
	v.context = uint32(v.do(qjsGetContext))
	v.runtime = uint32(v.do(qjsGetRuntime))
	v.block, v.buffer = v.allocate(blockSize), v.allocate(bufferSize)
	if v.err == nil && (v.context == 0 || v.block == 0 || v.buffer == 0) {
		return errMemory
	}
	v.once("JS_SetContextOpaque", uint64(v.context), uint64(v.block))
	clear(v.view(v.block, blockSize))
	v.write64(v.block+atRuntime, uint64(v.buffer)<<32|uint64(v.runtime))
	v.write(v.block+atNewline, []byte("\n"))
	v.write(v.block+atWrong, []byte(wrong))
	v.write(v.block+atImport, []byte(wrongImport))

	made := v.eval(&v.engine.prelude)
	glue := v.apply(made, v.hostObject(), v.json(v.engine.env), v.json(v.engine.bindings))
	for i, name := range glueNames {
		v.write64(v.block+atGlue+8*uint32(i), uint64(v.property(glue, name)))
	}
	if v.err == nil && glue.isException() {
		return fmt.Errorf("the prelude: %s", v.goString(value(v.once("JS_ToString", uint64(v.context), v.do(jsGetException, uint64(v.context))))))
	}
	return v.err
}

// heapLimit is how much a script may allocate. It leaves some of the memory, for
// gaps and for the interpreter to say that the rest is used up: where memory
// itself ends, that can no longer be said.
func heapLimit(memoryMiB int) uint64 {
	heap := uint64(memoryMiB)<<20 - fixedSize
	return heap - min(heap/8, 4<<20)
}

// hostObject is an object with the functions of Go.
func (v *vm) hostObject() value {
	object := value(v.once("JS_NewObject", uint64(v.context)))
	for _, name := range functionsOfGo {
		ptr := v.put([]byte(name))
		f := v.unbox(uint32(v.once("qjs_new_host_function", uint64(ptr), uint64(len(name)), 0)))
		v.once("JS_SetPropertyStr", uint64(v.context), uint64(object), uint64(ptr), uint64(f))
	}
	return object
}

func (v *vm) property(object value, name string) value {
	return value(v.once("JS_GetPropertyStr", uint64(v.context), uint64(object), uint64(v.put([]byte(name)))))
}

// unbox takes a value out of where the interpreter put it for us.
func (v *vm) unbox(ptr uint32) value {
	x := value(v.read64(ptr))
	v.free(ptr)
	return x
}

// json makes a value of one of Go's.
func (v *vm) json(x any) value {
	text, _ := json.Marshal(x) // strings
	ptr := v.put(text)
	defer v.release(ptr)
	return v.parse(ptr, uint32(len(text)))
}

// parse makes a value of a JSON text that a zero follows.
func (v *vm) parse(ptr, n uint32) value {
	return value(v.do(jsParseJSON, uint64(v.context), uint64(ptr), uint64(n), uint64(v.block+atFile)))
}

// Evaluate implements guest.Script.
func (v *vm) Evaluate(ctx context.Context) ([]string, error) {
	v.ctx.Context = ctx
	v.locate()
	exports, why := v.settle(v.eval(&v.engine.script))
	var names string
	if why == "" && v.err == nil {
		var list value
		list, why = v.settle(v.apply(v.glue(glueLoad), exports))
		names = v.goString(list)
	}
	// From here on events allocate; a collection would cost one of them more than
	// all the rest of it, and touch every page there is.
	v.once("qjs_run_gc")
	v.once("qjs_set_gc_threshold", v.once("qjs_get_allocated_size")+uint64(v.engine.memoryMiB<<20/8))
	switch {
	case v.err != nil:
		return nil, v.err
	case why != "":
		return nil, refused("%s", v.engine.located(why))
	}
	return strings.Split(names, "\x00"), nil
}
