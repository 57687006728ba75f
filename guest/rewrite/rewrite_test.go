package rewrite_test

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

//go:generate wat2wasm --debug-names testdata/programs.wat -o testdata/programs.wasm
//go:generate wat2wasm --debug-names testdata/endless.wat -o testdata/endless.wasm

//go:embed testdata/programs.wasm
var programs []byte

//go:embed testdata/endless.wasm
var endless []byte

var engines = map[string]func() wazero.RuntimeConfig{
	"compiler":    wazero.NewRuntimeConfigCompiler,
	"interpreter": wazero.NewRuntimeConfigInterpreter,
}

// newRuntime is a runtime with the function that rewritten modules import.
func newRuntime(tb testing.TB, rc wazero.RuntimeConfig) wazero.Runtime {
	tb.Helper()
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, rc)
	tb.Cleanup(func() { _ = r.Close(ctx) })
	provide(tb, r)
	return r
}

func provide(tb testing.TB, r wazero.Runtime) {
	tb.Helper()
	_, err := r.NewHostModuleBuilder(rewrite.CheckModule).
		NewFunctionBuilder().WithGoFunction(api.GoFunc(rewrite.Check), nil, nil).Export(rewrite.CheckName).
		Instantiate(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
}

func rewritten(tb testing.TB, wasm []byte, o rewrite.Options) ([]byte, *rewrite.Layout) {
	tb.Helper()
	m, err := rewrite.Parse(wasm)
	if err != nil {
		tb.Fatal(err)
	}
	out, layout, err := m.Rewrite(o)
	if err != nil {
		tb.Fatal(err)
	}
	return out, layout
}

func instantiate(tb testing.TB, r wazero.Runtime, wasm []byte) api.Module {
	tb.Helper()
	mod, err := r.InstantiateWithConfig(context.Background(), wasm, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		tb.Fatal(err)
	}
	return mod
}

// both are the options that do everything, with checks often and seldom.
var both = map[string]rewrite.Options{
	"fuel":          {Fuel: true},
	"every step":    {Fuel: true, Period: 1, Globals: true},
	"every 7 steps": {Fuel: true, Period: 7},
	"globals":       {Globals: true},
	"nothing":       {},
}

// Results that are known from elsewhere, and that counting steps must not change.
func TestResults(t *testing.T) {
	t.Parallel()
	memory := make([]byte, 65536)
	copy(memory, "123456789")
	want := map[string]uint32{
		"check_value": 0xcbf43926, "crc": crc32.ChecksumIEEE(memory), "sieve": 6542, "recursion": 2584,
		"mutual": 0, "matrix": trace(), "machine": machine(3000), "random": random(3),
	}
	for engine, config := range engines {
		plain := instantiate(t, newRuntime(t, config()), programs)
		for _, f := range []string{"indirect", "parameters", "bulk", "simd"} {
			want[f] = call(t, plain, f, 3)
		}
		expect := maps.Clone(want)
		for name, o := range both {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := newRuntime(t, config())
				wasm, _ := rewritten(t, programs, o)
				mod := instantiate(t, r, wasm)
				for f, want := range expect {
					if got := call(t, mod, f, 3); got != want {
						t.Errorf("%s = %d, want %d", f, got, want)
					}
				}
			})
		}
	}
}

func call(tb testing.TB, m api.Module, f string, arg uint64) uint32 {
	tb.Helper()
	res, err := m.ExportedFunction(f).Call(context.Background(), arg)
	if err != nil {
		tb.Fatal(f, err)
	}
	return uint32(res[0])
}

func trace() (sum uint32) {
	for i := range uint32(32) {
		for k := range uint32(32) {
			sum += (32*i + k) & 7 * ((32*k + i) & 7)
		}
	}
	return sum
}

func machine(n int) (acc uint32) {
	x := uint32(2463534242)
	for range n {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		switch x % 7 {
		case 0:
			acc += x
		case 1:
			acc ^= x
		case 2:
			acc = acc<<3 | acc>>29
		case 3:
			acc *= 5
		case 4:
		default:
			acc--
		}
	}
	return acc
}

func random(n int) uint32 {
	seed := uint32(1)
	for range n {
		seed = seed*1103515245 + 12345
	}
	return seed
}

func TestDeterministic(t *testing.T) {
	t.Parallel()
	o := rewrite.Options{Globals: true, Fuel: true}
	a, _ := rewritten(t, programs, o)
	b, _ := rewritten(t, programs, o)
	if !bytes.Equal(a, b) {
		t.Error("one module was rewritten in two ways")
	}
}

// Without options the module stays what it was, byte for byte.
func TestUnchanged(t *testing.T) {
	t.Parallel()
	got, layout := rewritten(t, programs, rewrite.Options{})
	if !bytes.Equal(got, programs) {
		t.Error("changed")
	}
	if diff := cmp.Diff(&rewrite.Layout{}, layout); diff != "" {
		t.Error(diff)
	}
}

func TestPeriod(t *testing.T) {
	t.Parallel()
	m, err := rewrite.Parse(programs)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := m.Rewrite(rewrite.Options{Fuel: true, Period: -1}); err == nil {
		t.Error("a period of -1 was taken")
	}
	var calls [2]int
	for i, period := range []int32{100, 1000} {
		r := wazero.NewRuntime(t.Context())
		defer r.Close(context.Background())
		count := func(context.Context, []uint64) { calls[i]++ }
		_, err := r.NewHostModuleBuilder(rewrite.CheckModule).
			NewFunctionBuilder().WithGoFunction(api.GoFunc(count), nil, nil).Export(rewrite.CheckName).Instantiate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		wasm, _, err := m.Rewrite(rewrite.Options{Fuel: true, Period: period})
		if err != nil {
			t.Fatal(err)
		}
		call(t, instantiate(t, r, wasm), "crc", 1)
	}
	// 65536 iterations and, at the start, 256 times 9, each of one step.
	if calls[0] < 660 || calls[0] > 680 || calls[1] < 66 || calls[1] > 68 {
		t.Errorf("checked %d and %d times", calls[0], calls[1])
	}
}

// Check ends a call with its context's error.
func TestCheck(t *testing.T) {
	t.Parallel()
	rewrite.Check(t.Context(), nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if err, ok := recover().(error); !ok || !errors.Is(err, context.Canceled) {
			t.Error("recovered", err)
		}
	}()
	rewrite.Check(ctx, nil)
	t.Error("returned")
}

func Example() {
	ctx := context.Background()
	m, err := rewrite.Parse(endless)
	if err != nil {
		fmt.Println(err) // run it with WithCloseOnContextDone, in a new instance each time
		return
	}
	wasm, layout, err := m.Rewrite(rewrite.Options{Globals: true, Fuel: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	rewindable, why := m.Rewindable()
	fmt.Println(len(layout.Globals), rewindable, why)

	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	_, _ = r.NewHostModuleBuilder(rewrite.CheckModule).
		NewFunctionBuilder().WithGoFunction(api.GoFunc(rewrite.Check), nil, nil).Export(rewrite.CheckName).
		Instantiate(ctx)
	mod, _ := r.InstantiateWithConfig(ctx, wasm, wazero.NewModuleConfig().WithName(""))
	ended, cancel := context.WithCancel(ctx)
	cancel()
	_, err = mod.ExportedFunction("loop").Call(ended)
	fmt.Println(errors.Is(err, context.Canceled))
	// Output:
	// 0 false [table.fill (1)]
	// true
}
