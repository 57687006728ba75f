package rewrite_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// How long after its context's end a guest may go on, on a busy machine: one that
// takes less than a millisecond on an idle one, and one that was made to take long.
const (
	late  = 500 * time.Millisecond
	later = 3 * time.Second
)

// Every endless function ends when its context does, and while it runs the
// collector can do its work. Not parallel: the times count.
func TestStop(t *testing.T) {
	for engine, config := range engines {
		r := newRuntime(t, config())
		wasm, _ := rewritten(t, endless, rewrite.Options{Fuel: true})
		for _, def := range instantiate(t, r, wasm).ExportedFunctionDefinitions() {
			name := def.ExportNames()[0]
			t.Run(engine+"/"+name, func(t *testing.T) {
				mod := instantiate(t, r, wasm)
				defer mod.Close(context.Background())
				args := make([]uint64, len(def.ParamTypes()))
				for i := range args {
					args[i] = 60 // 2^60 calls
				}
				stops(t, late, mod.ExportedFunction(name), args...)
			})
		}
	}
}

func stops(t *testing.T, late time.Duration, f api.Function, args ...uint64) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := f.Call(ctx, args...)
		ended <- err
	}()
	time.Sleep(5 * time.Millisecond)
	for range 2 {
		began := time.Now()
		runtime.GC() // waits for every goroutine
		if d := time.Since(began); d > late {
			t.Errorf("collecting took %v", d)
		}
	}
	select {
	case err := <-ended:
		t.Fatal("ended by itself:", err)
	default:
	}
	cancel()
	began := time.Now()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		t.Log(time.Since(began))
	case <-time.After(10 * time.Second):
		t.Fatal("did not stop")
	}
	if d := time.Since(began); d > late {
		t.Errorf("stopped after %v", d)
	}
}

// Code that was made to run long between two checks does not get far: functions
// without a loop and loops without a call pay for their length. Counted as one step
// each they would go on for 20 seconds.
func TestStopLongCode(t *testing.T) {
	straight := make([]byte, 0, 1<<17)
	for len(straight) < cap(straight)-16 { // local 0 = 7 / (local 0 | 1)
		straight = append(straight, 0x41, 7, 0x20, 0, 0x41, 1, 0x72, 0x6d, 0x21, 0)
	}
	loop := func(code ...byte) []byte { return join([]byte{0x03, 0x40}, code, []byte{0x0c, 0, 0x0b}) }
	fn := func(code []byte) []byte { return sized(join([]byte{1, 1, 0x7f}, code, []byte{0x0b})...) }
	manyCalls := make([]byte, 0, 1<<16)
	for len(manyCalls) < cap(manyCalls)-2 {
		manyCalls = append(manyCalls, 0x10, 1)
	}
	small := straight[:100] // not counted by itself
	for name, bodies := range map[string][2][]byte{
		"a loop":         {loop(straight...), nil},
		"a function":     {loop(0x10, 1), straight},
		"small ones":     {loop(manyCalls...), small},
		"a loop in loop": {loop(join(straight, []byte{0x03, 0x40, 0x0b})...), nil},
	} {
		t.Run(name, func(t *testing.T) {
			wasm := module(
				vector(1, nothing), vector(3, []byte{0}, []byte{0}),
				vector(7, join(named("run"), []byte{0, 0})),
				vector(10, fn(bodies[0]), fn(bodies[1])),
			)
			r := newRuntime(t, engines["compiler"]())
			out, _ := rewritten(t, wasm, rewrite.Options{Fuel: true})
			stops(t, later, instantiate(t, r, out).ExportedFunction("run"))
		})
	}
}

// The start function can be stopped too.
func TestStopStart(t *testing.T) {
	t.Parallel()
	wasm := module(vector(1, nothing), vector(3, []byte{0}), section(8, 0), vector(10, body(0x03, 0x40, 0x0c, 0, 0x0b)))
	for engine, config := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			r := newRuntime(t, config())
			out, _ := rewritten(t, wasm, rewrite.Options{Fuel: true})
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
			defer cancel()
			if _, err := r.Instantiate(ctx, out); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
		})
	}
}
