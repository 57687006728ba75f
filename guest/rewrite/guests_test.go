package rewrite_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// Every guest there is does the same, rewritten: its start, its initialisation
// and then each of its exports without parameters end alike and leave the same
// output, globals and memory.
func TestGuestsBehaveTheSame(t *testing.T) {
	t.Parallel()
	for name, wasm := range guests(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			globals, layout := rewritten(t, wasm, rewrite.Options{Globals: true})
			want := trial(t, globals, layout)
			for _, o := range []rewrite.Options{{Globals: true, Fuel: true}, {Globals: true, Fuel: true, Period: 13}} {
				if o.Period > 0 && len(wasm) > 1<<20 {
					continue // it takes seconds to compile
				}
				out, layout := rewritten(t, wasm, o)
				if diff := cmp.Diff(want, trial(t, out, layout)); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

// trial is the story of an instance.
func trial(t *testing.T, wasm []byte, layout *rewrite.Layout) (story []string) {
	t.Helper()
	ctx := t.Context()
	r := newRuntime(t, wazero.NewRuntimeConfig().WithMemoryLimitPages(4096))
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		t.Fatal(err)
	}
	offer(t, r, compiled)
	hash := sha256.New()
	out := writer{hash}
	mod, err := r.InstantiateModule(ctx, compiled,
		wazero.NewModuleConfig().WithName("").WithStartFunctions().WithStdout(out).WithStderr(out))
	if err != nil {
		return []string{firstLine(err)}
	}
	defer mod.Close(ctx)
	names := []string{"_initialize"}
	exports := mod.ExportedFunctionDefinitions()
	for _, name := range slices.Sorted(maps.Keys(exports)) {
		if len(exports[name].ParamTypes()) == 0 && name != names[0] {
			names = append(names, name)
		}
	}
	for _, name := range names {
		f := mod.ExportedFunction(name)
		if f == nil {
			continue
		}
		res, err := f.Call(ctx)
		story = append(story, fmt.Sprintf("%s: %v %s", name, res, firstLine(err)))
		if mod.IsClosed() {
			break
		}
		for _, g := range layout.Globals {
			story = append(story, fmt.Sprint(g.Name, " ", mod.ExportedGlobal(g.Name).Get()))
		}
		if m := memoryOf(mod); m != nil {
			b, _ := m.Read(0, m.Size())
			story = append(story, fmt.Sprintf("%d bytes: %x", m.Size(), sha256.Sum256(b)))
		}
	}
	return append(story, fmt.Sprintf("output %x", hash.Sum(nil)))
}

// memoryOf is nil for a module without one; behind wazero's interface the nil is typed.
func memoryOf(mod api.Module) api.Memory {
	if len(mod.ExportedMemoryDefinitions()) == 0 {
		return nil
	}
	return mod.ExportedMemory("memory")
}

// writer has no other methods, of which wazero would make use.
type writer struct{ io.Writer }

func firstLine(err error) string {
	if err == nil {
		return ""
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// The globals that are exported carry a state: put back, they give the results
// again that they gave first.
func TestGlobalsCarryTheState(t *testing.T) {
	t.Parallel()
	for engine, config := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			out, layout := rewritten(t, programs, rewrite.Options{Globals: true, Fuel: true})
			if diff := cmp.Diff([]rewrite.Global{{Name: "wazqueue global 0", Type: api.ValueTypeI32}}, layout.Globals); diff != "" {
				t.Fatal(diff)
			}
			mod := instantiate(t, newRuntime(t, config()), out)
			seed := mod.ExportedGlobal(layout.Globals[0].Name).(api.MutableGlobal)
			saved := seed.Get()
			first := call(t, mod, "random", 5)
			if again := call(t, mod, "random", 5); again == first {
				t.Fatal("no state")
			}
			seed.Set(saved)
			if again := call(t, mod, "random", 5); again != first {
				t.Error(again, first)
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	wasm := guests(b)["page-go"]
	b.SetBytes(int64(len(wasm)))
	for b.Loop() {
		if _, err := rewrite.Parse(wasm); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRewrite(b *testing.B) {
	wasm := guests(b)["page-go"]
	m, err := rewrite.Parse(wasm)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(wasm)))
	for b.Loop() {
		out, _, err := m.Rewrite(rewrite.Options{Globals: true, Fuel: true})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(out))/float64(len(wasm)), "x-size")
	}
}

// How long wazero takes to compile a large guest, as it is and rewritten.
func BenchmarkCompile(b *testing.B) {
	wasm := guests(b)["page-go"]
	out, _ := rewritten(b, wasm, rewrite.Options{Globals: true, Fuel: true})
	for name, wasm := range map[string][]byte{"none": wasm, "fuel": out} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				r := wazero.NewRuntime(context.Background())
				if _, err := r.CompileModule(context.Background(), wasm); err != nil {
					b.Fatal(err)
				}
				_ = r.Close(context.Background())
			}
		})
	}
}
