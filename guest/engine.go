package guest

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/hostfn"
)

// Engine runs programs that are not modules themselves, such as scripts: it is a
// module that interprets them, and the host's side of that. One engine belongs
// to one program, and is safe for concurrent use.
type Engine interface {
	// Module is the interpreter.
	Module() []byte
	// Offer registers what the interpreter imports besides the host's own
	// modules, which are there already.
	Offer(ctx context.Context, r wazero.Runtime) error
	// Attach returns what drives the interpreter in an instance of the module,
	// in which nothing has run yet.
	Attach(m api.Module) Script
}

// Script is an engine's program in one instance. Instances may be put back to
// what another one was after Evaluate: so whatever belongs to that state is kept
// in the instance's memory, and not in Go.
type Script interface {
	// Boot readies the interpreter, after _initialize. Whatever it asks of the
	// world outside must make no difference to the program.
	Boot(ctx context.Context) error
	// Evaluate evaluates the program and returns the names of its functions. A
	// *LoadError among its errors says by itself what is wrong with the program.
	Evaluate(ctx context.Context) ([]string, error)
	// Handle calls one of those functions for an event. It fails with an *Error
	// where the program did; any other error is a trap or a host function's.
	Handle(ctx context.Context, entry string, ev *hostfn.Event) error
}

// LoadEngine is Load for a program that an engine runs.
func LoadEngine(ctx context.Context, e Engine, c Config) (*Program, error) {
	return load(ctx, e.Module(), e, c)
}

// InspectEngine is Inspect for a program that an engine runs. Its report has no
// imports, which are the engine's business.
func InspectEngine(ctx context.Context, e Engine, c Config) (*Report, error) {
	return inspect(ctx, e.Module(), e, c)
}

// evaluate has the engine ready a new instance, and learns the program's
// entries from it.
func (in *instance) evaluate(ctx context.Context) error {
	if err := in.script.Boot(ctx); err != nil {
		return err
	}
	in.wasi.Used = 0
	names, err := in.script.Evaluate(ctx)
	in.names = entries{}
	for _, name := range names {
		if name != initialize && name != start { // those are modules'
			in.names[name] = nil
		}
	}
	return err
}

// handle calls an entry for an event.
func (in *instance) handle(ctx context.Context, entry string, ev *hostfn.Event) error {
	if in.script != nil {
		return in.script.Handle(ctx, entry, ev)
	}
	return in.call(ctx, in.entry(entry))
}
