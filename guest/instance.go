package guest

import (
	"context"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/hostfn"
)

// instance is a program's module in the state its initialisation left.
type instance struct{ module api.Module }

// take makes an instance for one event. Whoever takes it gives it back. There is
// no event while it is made: host functions that need one abort.
func (p *Program) take(ctx context.Context) (*instance, error) {
	ctx = hostfn.With(ctx, nil)
	module, err := p.runtime.InstantiateModule(ctx, p.compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions())
	if err != nil {
		return nil, err
	}
	in := &instance{module}
	if init := module.ExportedFunction(initialize); init != nil {
		if err := call(ctx, init); err != nil {
			p.give(ctx, in)
			return nil, err
		}
	}
	return in, nil
}

// give ends an instance. The event's context may have ended by now.
func (p *Program) give(ctx context.Context, in *instance) {
	_ = in.module.Close(context.WithoutCancel(ctx))
}

// call runs an entry. It fails with an *Error for a result that is not zero.
func call(ctx context.Context, f api.Function) error {
	var stack [1]uint64
	if err := f.CallWithStack(ctx, stack[:]); err != nil {
		return err
	}
	if code := api.DecodeI32(stack[0]); code != 0 && len(f.Definition().ResultTypes()) == 1 {
		return &Error{How: Failed, Code: code}
	}
	return nil
}
