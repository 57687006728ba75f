package guest

import (
	"context"
	"errors"
	"fmt"
	"runtime"

	"github.com/tetratelabs/wazero/sys"

	"github.com/wazqueue/wazqueue/hostfn"
)

// Run handles one event in an instance of its own and returns when the guest
// has ended and its output is written: nil, or an *Error that says how it ended.
// When ctx ends the guest is stopped. What the guest marked and answered is in
// ev either way; what it means after a failure is the caller's to decide.
func (p *Program) Run(ctx context.Context, ev *hostfn.Event) error {
	name, ok := p.entries.of(ev.Kind)
	if !ok {
		return &Error{How: Failed, Err: fmt.Errorf("no entry for %s events", ev.Kind)}
	}
	if d := p.entries[name]; d != nil && ev.Kind != hostfn.KindQueue && ev.Kind != hostfn.KindFetch {
		if m := mistake(name, d); m != "" { // of the other kinds Load knows only those that are needed
			return &Error{How: Failed, Err: errors.New(m)}
		}
	}
	if !p.running.enter() {
		return &Error{How: Host, Err: errClosed}
	}
	defer p.running.leave()
	if ev.Log == nil {
		ev.Log = p.config.Log
	}
	limited := newLimit(ctx, p.config.EventTime)
	defer limited.end()
	return judge(p.run(limited, name, ev), ctx, limited)
}

func (p *Program) run(ctx *limit, entry string, ev *hostfn.Event) error {
	in, err := p.take(ctx)
	if err != nil {
		return err
	}
	clean := false
	defer func() { p.give(in, clean) }()
	ctx.world, ctx.Event = in.world, ev
	err = in.handle(ctx, entry, ev)
	if in.out.end() {
		ev.Log.WarnContext(ctx, "guest output cut", "kind", ev.Kind, "limit_bytes", p.config.OutputBytes)
	}
	clean = err == nil
	return err
}

// judge says how an event ended. An exit with 0 is a good end. The contexts come
// before the error, since a limit that strikes inside a host function surfaces
// as that function's error.
func judge(err error, caller context.Context, limited *limit) error {
	exit, exited := errors.AsType[*sys.ExitError](err)
	abort, aborted := errors.AsType[hostfn.Abort](err)
	failed, isResult := errors.AsType[*Error](err)
	_, isFault := errors.AsType[runtime.Error](err)
	switch {
	case err == nil, exited && exit.ExitCode() == 0:
		return nil
	case caller.Err() != nil:
		return &Error{How: Stopped, Err: context.Cause(caller)}
	case limited.Err() != nil && limited.callers: // whose own timer has not got there yet
		return &Error{How: Stopped, Err: limited.Err()}
	case limited.Err() != nil:
		return &Error{How: TimedOut, Err: limited.Err()}
	case isResult:
		return failed
	case exited:
		return &Error{How: Exited, Code: int32(exit.ExitCode())}
	case aborted:
		return &Error{How: Aborted, Err: abort}
	case isFault:
		return &Error{How: Host, Err: err}
	}
	return &Error{How: Trapped, Err: err}
}
