// Package hostfn is what a guest imports: the message queue (消息队列), the
// inbound event (网页入站) and the exception text (豫言异常), registered into a
// wazero runtime under their Chinese names and, all of them, under ASCII names
// in the module wazqueue. Functions are stateless: the event they act on
// travels in the context of the call into the guest, see With.
//
// The binary interface is the same for all: pointers and lengths are unsigned
// and a range outside guest memory aborts. A status is 0, or 1 where an
// exception was thrown. A length is the size of a value in bytes, written to
// the guest's buffer if and only if it fits, or -1 where an exception was
// thrown. An abort panics with an Abort, which wazero returns, wrapped, from the
// call into the guest.
//
// The package imports bridge, validate, adapter and batch of this project.
package hostfn

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

// The module names that guests import from.
const (
	QueueModule     = "消息队列"
	InboundModule   = "网页入站"
	ExceptionModule = "豫言异常"
	ASCIIModule     = "wazqueue"
)

// Instantiate registers every host module in r. Registering one twice is an
// error of wazero's.
func Instantiate(ctx context.Context, r wazero.Runtime) error {
	for _, register := range []func(context.Context, wazero.Runtime) error{Queue, Inbound, Exceptions, ASCII} {
		if err := register(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// Queue registers 消息队列: send, send_batch, read_batch, ack and retry.
func Queue(ctx context.Context, r wazero.Runtime) error {
	return register(ctx, r, QueueModule, function.chinese, queueFunctions())
}

// Inbound registers 网页入站: event_kind, read_request, read_body and respond.
func Inbound(ctx context.Context, r wazero.Runtime) error {
	return register(ctx, r, InboundModule, function.chinese, inboundFunctions())
}

// Exceptions registers 豫言异常: exception_message.
func Exceptions(ctx context.Context, r wazero.Runtime) error {
	return register(ctx, r, ExceptionModule, function.chinese, exceptionFunctions())
}

// ASCII registers all functions under their ASCII names in the module wazqueue.
func ASCII(ctx context.Context, r wazero.Runtime) error {
	all := append(append(queueFunctions(), inboundFunctions()...), exceptionFunctions()...)
	return register(ctx, r, ASCIIModule, function.ascii, all)
}

func queueFunctions() []function { return []function{send, sendBatch, readBatch, ack, retry} }
func inboundFunctions() []function {
	return []function{eventKind, readRequest, readBody, respond}
}
func exceptionFunctions() []function { return []function{exceptionMessage} }

// function is one host function: its names, its parameters, and what it does.
type function struct {
	names  [2]string // Chinese, ASCII
	params []param
	result result
	// call returns the function's result, or fails with a bridge.Exception for
	// the guest to catch; any other error aborts the event.
	call func(ctx context.Context, ev *Event, mod api.Module, args []uint64) (int32, error)
}

func (f function) chinese() string { return f.names[0] }
func (f function) ascii() string   { return f.names[1] }

type param struct {
	name string
	typ  api.ValueType
}

func i32(name string) param { return param{name, api.ValueTypeI32} }
func i64(name string) param { return param{name, api.ValueTypeI64} }

// reads makes the function that writes a value to the guest's buffer and returns
// its length.
func reads[T string | []byte](chinese, ascii string, value func(ev *Event) (T, error)) function {
	return function{
		names:  [2]string{chinese, ascii},
		params: []param{i32("buf"), i32("buf_limit")},
		result: length,
		call: func(_ context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
			buf, err := bridge.Offer(mod, uint32(args[0]), uint32(args[1]))
			if err != nil {
				return 0, err
			}
			v, err := value(ev)
			if err != nil {
				return 0, err
			}
			return bridge.Put(buf, v), nil
		},
	}
}

// result says what a function's i32 means, and so its value after an exception.
type result struct {
	name   string
	thrown int32
}

var (
	status = result{"status", 1}
	length = result{"length", -1}
)

func register(ctx context.Context, r wazero.Runtime, module string, name func(function) string, fns []function) error {
	b := r.NewHostModuleBuilder(module)
	for _, f := range fns {
		types := make([]api.ValueType, len(f.params))
		names := make([]string, len(f.params))
		for i, p := range f.params {
			types[i], names[i] = p.typ, p.name
		}
		b = b.NewFunctionBuilder().
			WithGoModuleFunction(f, types, []api.ValueType{api.ValueTypeI32}).
			WithParameterNames(names...).
			WithResultNames(f.result.name).
			Export(name(f))
	}
	_, err := b.Instantiate(ctx)
	return err
}

// Call implements api.GoModuleFunction. It is the one place where failures
// become exceptions and aborts.
func (f function) Call(ctx context.Context, mod api.Module, stack []uint64) {
	ev := eventOf(ctx)
	if ev == nil {
		panic(bridge.ErrNoEvent)
	}
	n, err := f.call(ctx, ev, mod, stack)
	if err != nil {
		thrown, ok := errors.AsType[bridge.Exception](err)
		if !ok {
			panic(err)
		}
		ev.exception = string(thrown)
		n = f.result.thrown
	}
	stack[0] = api.EncodeI32(n)
}
