package javascript

import (
	"context"

	"github.com/tetratelabs/wazero/api"
)

// vm is the interpreter in one instance. All that belongs to a program's state is
// in the instance's memory, none of it here.
type vm struct {
	engine    *engine
	module    api.Module
	memory    api.Memory
	functions [functionCount]function

	// err is the first call that failed, since it trapped or its time was up. The
	// instance is done for then: later calls do nothing and return 0.
	err error
	ctx vmContext

	// Of an event.
	state
	batch    batch
	rejected rejections
	args     arguments

	// Room that is used again.
	room     [5]uint64 // for the parameters and the result of a host function
	header   []byte
	granted  []string
	entering []value
}

// vmContext is the context of calls into the interpreter: with it the functions
// that the interpreter imports find its vm.
type vmContext struct {
	context.Context
	vm *vm
}

type vmKey struct{}

// Value implements context.Context.
func (c *vmContext) Value(key any) any {
	if key == (vmKey{}) {
		return c.vm
	}
	return c.Context.Value(key)
}

// function is one of the interpreter's exports, looked up when it is called for
// the first time.
type function struct {
	call    api.Function
	running bool
	stack   [7]uint64
}

// export names a function that events call.
type export int

const (
	jsCall export = iota
	jsExecutePendingJob
	jsFreeCString
	jsFreeValue
	jsGetContextOpaque
	jsGetException
	jsGetUint8Array
	jsHasException
	jsNewStringLen
	jsNewUint8ArrayCopy
	jsParseJSON
	jsPromiseResult
	jsPromiseState
	jsThrowOutOfMemory
	jsThrowReferenceError
	jsThrowTypeError
	jsToCStringLen
	qjsGetContext
	qjsGetRuntime
	wasmFree
	wasmMalloc
	functionCount
)

var exportNames = [functionCount]string{
	jsCall:                "JS_Call",
	jsExecutePendingJob:   "JS_ExecutePendingJob",
	jsFreeCString:         "JS_FreeCString",
	jsFreeValue:           "JS_FreeValue",
	jsGetContextOpaque:    "JS_GetContextOpaque",
	jsGetException:        "JS_GetException",
	jsGetUint8Array:       "JS_GetUint8Array",
	jsHasException:        "JS_HasException",
	jsNewStringLen:        "JS_NewStringLen",
	jsNewUint8ArrayCopy:   "JS_NewUint8ArrayCopy",
	jsParseJSON:           "JS_ParseJSON",
	jsPromiseResult:       "JS_PromiseResult",
	jsPromiseState:        "JS_PromiseState",
	jsThrowOutOfMemory:    "JS_ThrowOutOfMemory",
	jsThrowReferenceError: "JS_ThrowReferenceError",
	jsThrowTypeError:      "JS_ThrowTypeError",
	jsToCStringLen:        "JS_ToCStringLen2",
	qjsGetContext:         "qjs_get_context_ptr",
	qjsGetRuntime:         "qjs_get_runtime_ptr",
	wasmFree:              "wasm_free",
	wasmMalloc:            "wasm_malloc",
}

// do calls one of the exports that events call. It may be called by a function
// that the interpreter has called: then the export must be one that runs no
// JavaScript. See run, and prelude/errors.js.
func (v *vm) do(e export, args ...uint64) uint64 {
	f := &v.functions[e]
	if f.call == nil {
		f.call = v.module.ExportedFunction(exportNames[e])
	}
	return v.run(f, args)
}

// once calls an export that only initialisation calls.
func (v *vm) once(name string, args ...uint64) uint64 {
	return v.run(&function{call: v.module.ExportedFunction(name)}, args)
}

// run calls an export. An api.Function has one stack: called again while it runs,
// it would write over its own frames. That cannot be, and would end the event.
func (v *vm) run(f *function, args []uint64) uint64 {
	if f.running && v.err == nil {
		v.err = errReentered
	}
	if v.err != nil {
		return 0
	}
	f.stack[0] = 0
	copy(f.stack[:], args)
	f.running = true
	v.err = f.call.CallWithStack(&v.ctx, f.stack[:])
	f.running = false
	if v.err != nil {
		return 0
	}
	return f.stack[0]
}

// allocate returns room for n bytes of the interpreter's, 0 where there is none.
func (v *vm) allocate(n int) uint32 { return uint32(v.do(wasmMalloc, uint64(n))) }

func (v *vm) free(ptr uint32) { v.do(wasmFree, uint64(ptr)) }

// outOfMemory throws what the interpreter throws when its memory is used up.
func (v *vm) outOfMemory() value {
	v.do(jsThrowOutOfMemory, uint64(v.context))
	return exception
}

// view is the n bytes at ptr, until the interpreter runs on. Memory that is not
// there fails the instance, as it does for the functions that follow.
func (v *vm) view(ptr, n uint32) []byte {
	b, ok := v.memory.Read(ptr, n)
	v.expect(ok)
	return b
}

func (v *vm) expect(ok bool) {
	if !ok && v.err == nil {
		v.err = errRange
	}
}

func (v *vm) read32(ptr uint32) uint32 {
	n, ok := v.memory.ReadUint32Le(ptr)
	v.expect(ok)
	return n
}

func (v *vm) read64(ptr uint32) uint64 {
	n, ok := v.memory.ReadUint64Le(ptr)
	v.expect(ok)
	return n
}

func (v *vm) write64(ptr uint32, n uint64) { v.expect(v.memory.WriteUint64Le(ptr, n)) }

// write writes bytes, and a zero behind them.
func (v *vm) write(ptr uint32, b []byte) {
	v.expect(v.memory.Write(ptr, b) && v.memory.WriteByte(ptr+uint32(len(b)), 0))
}
