// Package wasi is the part of wasi_snapshot_preview1 that a guest of an event
// needs: clocks, randomness, standard output and error, arguments and
// environment, exit and polling. Every other function of the module is there
// too and answers that there is no such file, or no such thing. The functions
// keep no state: what they act on travels in the context, see With, so that
// nothing is left for the next event. It imports nothing else of this project.
package wasi

import (
	"context"
	"encoding/binary"
	"io"
	"reflect"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// Module is the name guests import the functions from.
const Module = "wasi_snapshot_preview1"

// World is what the functions of one event act on. A nil or zero World has no
// arguments, no environment, and discards output.
type World struct {
	Args   []string
	Env    []string // NAME=value
	Stdout io.Writer
	Stderr io.Writer
	// Used is what the guest has asked for so far.
	Used Use
}

type worldKey struct{}

// With returns a context that carries w for calls into a guest.
func With(ctx context.Context, w *World) context.Context {
	return context.WithValue(ctx, worldKey{}, w)
}

// worldOf returns the context's world, and notes what of it is used.
func worldOf(ctx context.Context, u Use) *World {
	w, _ := ctx.Value(worldKey{}).(*World)
	if w == nil {
		w = &World{}
	}
	w.Used |= u
	return w
}

// errno is a WASI error number; 0 is success.
type errno uint32

const (
	success  errno = 0
	errBadf  errno = 8
	errFault errno = 21
	errInval errno = 28
	errIO    errno = 29
	errNosys errno = 52
)

// call does one function's work on the guest's memory.
type call func(ctx context.Context, mod api.Module, args []uint64) errno

// function is one function of the module. A letter of params is a parameter:
// i for i32, I for i64.
type function struct {
	name   string
	params string
	call   call
}

// Instantiate registers the module in r.
func Instantiate(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(Module)
	for _, f := range functions() {
		b = b.NewFunctionBuilder().
			WithGoModuleFunction(f.call, f.types(), []api.ValueType{api.ValueTypeI32}).
			Export(f.name)
	}
	b = b.NewFunctionBuilder().
		WithGoModuleFunction(api.GoModuleFunc(procExit), []api.ValueType{api.ValueTypeI32}, nil).
		WithParameterNames("rval").
		Export("proc_exit")
	_, err := b.Instantiate(ctx)
	return err
}

func (f function) types() []api.ValueType {
	types := make([]api.ValueType, len(f.params))
	for i, p := range f.params {
		types[i] = api.ValueTypeI32
		if p == 'I' {
			types[i] = api.ValueTypeI64
		}
	}
	return types
}

// Call implements api.GoModuleFunction. When the event's context has ended by
// the function's end, so does the guest.
func (c call) Call(ctx context.Context, mod api.Module, stack []uint64) {
	e := errFault
	if !reflect.ValueOf(mod.Memory()).IsNil() { // a nil pointer in a module without memory
		e = c(ctx, mod, stack)
	}
	if err := ctx.Err(); err != nil {
		panic(err)
	}
	// A function without parameters still has the one slot of its result.
	stack[0] = uint64(e)
}

// functions lists the whole module but proc_exit, which has no result.
func functions() []function {
	return append([]function{
		{"args_get", "ii", argsGet},
		{"args_sizes_get", "ii", argsSizesGet},
		{"environ_get", "ii", environGet},
		{"environ_sizes_get", "ii", environSizesGet},
		{"clock_res_get", "ii", clockResGet},
		{"clock_time_get", "iIi", clockTimeGet},
		{"random_get", "ii", randomGet},
		{"fd_write", "iiii", fdWrite},
		{"fd_read", "iiii", fdRead},
		{"fd_close", "i", fdClose},
		{"fd_fdstat_get", "ii", fdFdstatGet},
		{"fd_fdstat_set_flags", "ii", fdFdstatSetFlags},
		{"fd_filestat_get", "ii", fdFilestatGet},
		{"poll_oneoff", "iiii", pollOneoff},
		{"sched_yield", "", schedYield},
	}, absent()...)
}

// absent lists the functions of files and sockets, of which there are none.
func absent() []function {
	bad, none := always(errBadf), always(errNosys)
	return []function{
		{"fd_advise", "iIIi", bad},
		{"fd_allocate", "iII", bad},
		{"fd_datasync", "i", bad},
		{"fd_fdstat_set_rights", "iII", bad},
		{"fd_filestat_set_size", "iI", bad},
		{"fd_filestat_set_times", "iIIi", bad},
		{"fd_pread", "iiiIi", bad},
		{"fd_prestat_get", "ii", bad},
		{"fd_prestat_dir_name", "iii", bad},
		{"fd_pwrite", "iiiIi", bad},
		{"fd_readdir", "iiiIi", bad},
		{"fd_renumber", "ii", bad},
		{"fd_seek", "iIii", bad},
		{"fd_sync", "i", bad},
		{"fd_tell", "ii", bad},
		{"path_create_directory", "iii", bad},
		{"path_filestat_get", "iiiii", bad},
		{"path_filestat_set_times", "iiiiIIi", bad},
		{"path_link", "iiiiiii", bad},
		{"path_open", "iiiiiIIii", bad},
		{"path_readlink", "iiiiii", bad},
		{"path_remove_directory", "iii", bad},
		{"path_rename", "iiiiii", bad},
		{"path_symlink", "iiiii", bad},
		{"path_unlink_file", "iii", bad},
		{"proc_raise", "i", none},
		{"sock_accept", "iii", bad},
		{"sock_recv", "iiiiii", bad},
		{"sock_send", "iiiii", bad},
		{"sock_shutdown", "ii", bad},
	}
}

func always(e errno) call {
	return func(context.Context, api.Module, []uint64) errno { return e }
}

// put32 and put64 write one number to guest memory.
func put32(mod api.Module, ptr uint64, v uint32) errno {
	if !mod.Memory().WriteUint32Le(uint32(ptr), v) {
		return errFault
	}
	return success
}

func put64(mod api.Module, ptr, v uint64) errno {
	if !mod.Memory().WriteUint64Le(uint32(ptr), v) {
		return errFault
	}
	return success
}

var le = binary.LittleEndian
