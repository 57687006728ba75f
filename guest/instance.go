package guest

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/image"
	"github.com/wazqueue/wazqueue/guest/wasi"
)

// instance is a program's module in the state its initialisation left.
type instance struct {
	module  api.Module
	entries map[string]api.Function // those that were called, since looking one up is costly
	stack   [1]uint64
	script  Script  // of an engine's instance
	names   entries // of the script's functions, once it was evaluated
	out     output
	wasi    wasi.World
	world   context.Context // carries wasi

	// What is put back after an event, where the program's instances are rewound.
	memory  *image.Memory // nil for a module without one
	globals []api.MutableGlobal
}

// take returns an instance for one event, made for it or rewound after another.
// Whoever takes it gives it back.
func (p *Program) take(ctx *limit) (*instance, error) {
	if in := p.pool.take(); in != nil {
		return in, nil
	}
	return p.make(ctx, p.snapshot != nil)
}

// give takes an instance back after its event. One that is not clean, since its
// event failed, or that cannot be rewound, is not used again.
func (p *Program) give(in *instance, clean bool) {
	if p.snapshot == nil {
		in.close()
		return
	}
	if clean && p.snapshot.rewind(in) == nil && p.pool.put(in) {
		return
	}
	in.close()
	p.pool.refill(func() (*instance, error) {
		ctx := newLimit(context.Background(), p.config.EventTime)
		defer ctx.end()
		return p.make(ctx, true)
	})
}

// make makes an instance. There is no event meanwhile: host functions that need
// one abort. What it prints counts as the event's that it is made for, or is not
// shown where quiet says that it is for none, or for many.
func (p *Program) make(ctx *limit, quiet bool) (*instance, error) {
	in := &instance{entries: map[string]api.Function{}}
	in.out = output{program: p}
	in.out.begin()
	in.out.cut = quiet
	in.wasi = wasi.World{Args: p.config.Args, Env: p.env, Stdout: &in.out.streams[0], Stderr: &in.out.streams[1]}
	in.world = wasi.With(context.Background(), &in.wasi)
	init := ctx.initial(in.world)
	defer init.end()
	var err error
	if in.module, err = p.instantiate(init, in); err != nil {
		if in.memory != nil {
			in.memory.Free() // wazero does not where a start function fails
		}
		in.out.end()
		return nil, err
	}
	if p.engine != nil {
		in.script = p.engine.Attach(in.module)
	}
	if p.snapshot != nil {
		err = p.snapshot.adopt(in) // what initialisation would leave
	} else {
		err = in.initialize(init)
	}
	if err != nil {
		in.out.end()
		in.close()
		return nil, err
	}
	if quiet {
		in.out.begin()
	}
	return in, nil
}

// initialize runs a new instance's initialisation.
func (in *instance) initialize(ctx context.Context) error {
	if f := in.entry(initialize); f != nil {
		if err := in.call(ctx, f); err != nil {
			return err
		}
	}
	if in.script == nil {
		return nil
	}
	return in.evaluate(ctx)
}

func (p *Program) instantiate(ctx context.Context, in *instance) (_ api.Module, err error) {
	if p.code.rewindable {
		var noMemory error
		ctx = image.WithMemory(ctx, func(max uint64) (*image.Memory, error) {
			in.memory, noMemory = p.newMemory(max)
			return in.memory, noMemory
		})
		defer func() {
			if noMemory != nil {
				recover() // wazero panics for want of it
				err = &Error{How: Host, Err: noMemory}
			}
		}()
	}
	return p.runtime.InstantiateModule(ctx, p.compiled, wazero.NewModuleConfig().WithName("").WithStartFunctions())
}

// entry returns an exported function, nil where there is none.
func (in *instance) entry(name string) api.Function {
	f, known := in.entries[name]
	if !known {
		f = in.module.ExportedFunction(name)
		in.entries[name] = f
	}
	return f
}

// close ends the instance. The event's context may have ended by now.
func (in *instance) close() { _ = in.module.Close(context.Background()) }

// call runs an entry. It fails with an *Error for a result that is not zero.
func (in *instance) call(ctx context.Context, f api.Function) error {
	if err := f.CallWithStack(ctx, in.stack[:]); err != nil {
		return err
	}
	if code := api.DecodeI32(in.stack[0]); code != 0 && len(f.Definition().ResultTypes()) == 1 {
		return &Error{How: Failed, Code: code}
	}
	return nil
}
