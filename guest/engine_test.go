package guest_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/wasi"
	"github.com/wazqueue/wazqueue/hostfn"
)

// fake is an engine whose interpreter is a probe, of which nothing runs, and whose
// program does what the test says.
type fake struct {
	t              *testing.T
	module         string
	boot, evaluate func(ctx context.Context, m api.Module) error
	entries        []string
	handle         func(entry string, ev *hostfn.Event) error
	evaluations    int
	clock          api.GoModuleFunction
}

func (f *fake) Module() []byte { return module(f.t, f.module) }

func (f *fake) Offer(ctx context.Context, r wazero.Runtime) error {
	if r.Module(hostfn.QueueModule) == nil {
		f.t.Error("the host's modules are not there yet")
	}
	f.clock = r.Module(wasi.Module).ExportedFunctionDefinitions()["clock_time_get"].GoFunction().(api.GoModuleFunction)
	return nil
}

func (f *fake) Attach(m api.Module) guest.Script { return &fakeScript{f, m} }

type fakeScript struct {
	*fake
	in api.Module
}

func (s *fakeScript) Boot(ctx context.Context) error { return do(ctx, s.in, s.boot) }

func (s *fakeScript) Evaluate(ctx context.Context) ([]string, error) {
	s.evaluations++
	return s.entries, do(ctx, s.in, s.evaluate)
}

func (s *fakeScript) Handle(_ context.Context, entry string, ev *hostfn.Event) error {
	return s.handle(entry, ev)
}

func do(ctx context.Context, m api.Module, f func(context.Context, api.Module) error) error {
	if f == nil {
		return nil
	}
	return f(ctx, m)
}

func TestEngine(t *testing.T) {
	t.Parallel()
	var got []string
	f := &fake{t: t, module: "nomem", entries: []string{"fetch", "queue", "处理队列批次", "timer", "_start", "_initialize"}}
	f.handle = func(entry string, ev *hostfn.Event) error {
		got = append(got, entry)
		if ev.Kind == "timer" {
			return &guest.Error{How: guest.Failed, Err: errors.New("late")}
		}
		return nil
	}
	p, err := guest.LoadEngine(t.Context(), f, guest.Config{Needs: []string{"timer"}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	for _, kind := range []string{"queue", "fetch", "timer"} {
		err := p.Run(t.Context(), &hostfn.Event{Kind: kind})
		if (err == nil) != (kind != "timer") || err != nil && err.Error() != "guest failed: late" {
			t.Errorf("%s ended with %v", kind, err)
		}
	}
	if d := cmp.Diff([]string{"处理队列批次", "fetch", "timer"}, got); d != "" {
		t.Error(d)
	}
	if p.Handles("_start") || p.Handles("other") {
		t.Error("it handles what it must not")
	}
	// What it is put back to is not evaluated again.
	if reuse, why := p.Reuse(); reuse != guest.Rewind || f.evaluations != 1 {
		t.Errorf("%v (%v), %d evaluations", reuse, why, f.evaluations)
	}
}

func TestEngineRefusals(t *testing.T) {
	t.Parallel()
	fail := func(err error) func(context.Context, api.Module) error {
		return func(context.Context, api.Module) error { return err }
	}
	tests := []struct {
		name   string
		engine fake
		want   string
	}{
		{"it does not boot", fake{boot: fail(errors.New("no fuel"))}, "an instance does not start: guest trapped: no fuel"},
		{"the program is wrong", fake{evaluate: fail(&guest.LoadError{Problems: []string{"a:1: this", "a:2: that"}})}, "a:1: this; a:2: that"},
		{"it evaluates for ever", fake{evaluate: fail(context.DeadlineExceeded)}, "an instance does not start: guest trapped: context deadline exceeded"},
		{"no entry", fake{entries: []string{"_start", "fetch"}}, "no entry for queue events: export 处理队列批次 or queue"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.engine.t, tt.engine.module = t, "nomem"
			_, err := guest.LoadEngine(t.Context(), &tt.engine, guest.Config{Needs: []string{"queue"}})
			if err == nil || err.Error() != tt.want {
				t.Errorf("error %v, want %s", err, tt.want)
			}
			r, err := guest.InspectEngine(t.Context(), &tt.engine, guest.Config{Needs: []string{"queue"}})
			if err != nil || strings.Join(r.Problems, "; ") != tt.want {
				t.Errorf("%v, report %v", err, r)
			}
		})
	}
}

// What an engine asks for when it boots is its own business; what a program asks
// for decides how its instances are reused.
func TestEngineUse(t *testing.T) {
	t.Parallel()
	for _, want := range []guest.Reuse{guest.Rewind, guest.New} {
		f := &fake{t: t, module: "wasi", entries: []string{"fetch"}}
		clock := func(ctx context.Context, m api.Module) error {
			f.clock.Call(ctx, m, []uint64{0, 0, 0})
			return nil
		}
		if want == guest.Rewind {
			f.boot = clock
		} else {
			f.evaluate = clock
		}
		p, err := guest.LoadEngine(t.Context(), f, guest.Config{})
		if err != nil {
			t.Fatal(err)
		}
		if reuse, why := p.Reuse(); reuse != want {
			t.Errorf("%v, %v", reuse, why)
		}
		p.Close(t.Context())
	}
}
