package rewrite_test

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// BenchmarkFuel compares a module without any check, one that counts its steps,
// and wazero's own checks of the context. Each is run in turn with the one
// without a check, and x is the ratio of their least times.
func BenchmarkFuel(b *testing.B) {
	for _, bm := range []struct {
		name   string
		wasm   []byte
		rounds uint64
	}{
		{"crc", programs, 2},
		{"sieve", programs, 1},
		{"matrix", programs, 2},
		{"recursion", programs, 10},
		{"indirect", programs, 20},
		{"machine", programs, 20},
		{"bulk", programs, 1},
		{"simd", programs, 20000},
		{"go", guests(b)["page-go"], 0},
		{"assemblyscript", guests(b)["page-as"], 0},
		{"c", guests(b)["page-c"], 0},
	} {
		b.Run(bm.name, func(b *testing.B) {
			name := bm.name
			if bm.rounds == 0 {
				name = "处理队列批次"
			}
			none := prepare(b, wazero.NewRuntimeConfig(), bm.wasm, name)
			counting, _ := rewritten(b, bm.wasm, rewrite.Options{Fuel: true})
			variants := map[string]api.Function{
				"none":        none,
				"fuel":        prepare(b, wazero.NewRuntimeConfig(), counting, name),
				"closeondone": prepare(b, wazero.NewRuntimeConfig().WithCloseOnContextDone(true), bm.wasm, name),
			}
			for _, variant := range []string{"none", "fuel", "closeondone"} {
				b.Run(variant, func(b *testing.B) { compare(b, none, variants[variant], bm.rounds) })
			}
		})
	}
}

func compare(b *testing.B, none, f api.Function, rounds uint64) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	stack := make([]uint64, 1)
	run := func(f api.Function) time.Duration {
		stack[0] = rounds
		began := time.Now()
		if err := f.CallWithStack(ctx, stack); err != nil {
			b.Fatal(err)
		}
		return time.Since(began)
	}
	base, took := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	for b.Loop() {
		base = min(base, run(none))
		took = min(took, run(f))
	}
	b.ReportMetric(float64(took), "ns/op")
	b.ReportMetric(float64(took)/float64(base), "x")
}

func prepare(b *testing.B, rc wazero.RuntimeConfig, wasm []byte, name string) api.Function {
	b.Helper()
	r := newRuntime(b, rc)
	compiled, err := r.CompileModule(context.Background(), wasm)
	if err != nil {
		b.Fatal(err)
	}
	offer(b, r, compiled)
	mod, err := r.InstantiateModule(context.Background(), compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize"))
	if err != nil {
		b.Fatal(err)
	}
	f := mod.ExportedFunction(name)
	if f == nil {
		f = mod.ExportedFunction("queue")
	}
	return f
}
