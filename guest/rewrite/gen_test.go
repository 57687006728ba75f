package rewrite_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// generator writes valid modules at random, out of structured code: functions of
// two i32 to one, with an i32 counter for loops and two more locals, that branch,
// call the functions before them directly and through a table, and work on
// globals, a memory and each other's results. Loops end by themselves.
type generator struct {
	*rand.Rand
	imports int // functions, all of this type too
	index   int // of the function being written
	loops   int
	leave   []bool // for each block around: whether a branch may leave it, without a value
}

const (
	genGlobals = 3
	genCounter = 4 // the first of the locals that count; 0 to 3 are variables
)

func (g *generator) expr(depth int) []byte {
	if depth <= 0 {
		return g.leaf()
	}
	switch g.IntN(16) {
	case 0, 1:
		return g.leaf()
	case 2, 3, 4:
		ops := []byte{0x6a, 0x6b, 0x6c, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x46, 0x48, 0x49}
		return join(g.expr(depth-1), g.expr(depth-1), []byte{ops[g.IntN(len(ops))]})
	case 5:
		return join(g.expr(depth-1), []byte{[]byte{0x45, 0x67, 0x68, 0x69, 0xc0, 0xc1}[g.IntN(6)]})
	case 6:
		return join(g.expr(depth-1), []byte{0x41, 0xff, 0x07, 0x71, 0x28, 2}, uleb(g.IntN(4096)))
	case 7:
		return join(g.expr(depth-1), []byte{0x22, byte(g.IntN(genCounter))}) // local.tee
	case 8:
		return join(g.expr(depth-1), g.expr(depth-1), g.expr(depth-1), []byte{0x1b}) // select
	case 9:
		return join(g.expr(depth-1), []byte{0x04, 0x7f}, g.within(false, g.expr, depth), []byte{0x05}, g.within(false, g.expr, depth), []byte{0x0b})
	case 10: // a block with a result, which the code in it can leave with one
		return join([]byte{0x02, 0x7f}, g.within(false, func(d int) []byte {
			return join(g.statements(d), g.expr(d), g.expr(d), []byte{0x0d, 0}) // br_if 0, with the value
		}, depth), []byte{0x0b})
	case 11: // through SIMD: splat, add, extract
		return join(g.expr(depth-1), []byte{0xfd, 0x11}, g.expr(depth-1), []byte{0xfd, 0x11, 0xfd, 0xae, 1, 0xfd, 0x1b, byte(g.IntN(4))})
	case 12: // through a float, saturating
		return join(g.expr(depth-1), []byte{0xb7, 0xfc, 2})
	default:
		return g.call(depth)
	}
}

func (g *generator) leaf() []byte {
	switch g.IntN(4) {
	case 0:
		return join([]byte{0x41}, sleb(int64(int32(g.Uint32()))))
	case 1:
		return []byte{0x23, byte(g.IntN(genGlobals))}
	default:
		return []byte{0x20, byte(g.IntN(genCounter))}
	}
}

// call calls an earlier function. Calls in loops are few, so that the whole ends soon.
func (g *generator) call(depth int) []byte {
	if g.index == 0 || g.loops > 1 {
		return g.leaf()
	}
	args := join(g.expr(depth-1), g.expr(depth-1))
	f := max(0, g.index-1-g.IntN(3))
	if g.IntN(2) == 0 {
		return join(args, []byte{0x10}, uleb(f))
	}
	return join(args, []byte{0x41}, sleb(int64(f)), []byte{0x11, 0, 0})
}

func (g *generator) within(leave bool, write func(int) []byte, depth int) []byte {
	g.leave = append(g.leave, leave)
	code := write(depth - 1)
	g.leave = g.leave[:len(g.leave)-1]
	return code
}

func (g *generator) statements(depth int) (code []byte) {
	for range g.IntN(4) {
		code = join(code, g.statement(depth))
	}
	return code
}

func (g *generator) statement(depth int) []byte {
	if depth <= 0 {
		return join(g.leaf(), []byte{0x21, byte(g.IntN(genCounter))})
	}
	switch g.IntN(12) {
	case 0, 1:
		return join(g.expr(depth-1), []byte{0x21, byte(g.IntN(genCounter))})
	case 2:
		return join(g.expr(depth-1), []byte{0x24, byte(g.IntN(genGlobals))})
	case 3:
		return join(g.expr(depth-1), []byte{0x41, 0xff, 0x07, 0x71}, g.expr(depth-1), []byte{[]byte{0x36, 0x3a, 0x3b}[g.IntN(3)], 0}, uleb(g.IntN(4096)))
	case 4:
		return join([]byte{0x02, 0x40}, g.within(true, g.statements, depth), []byte{0x0b})
	case 5:
		return join(g.expr(depth-1), []byte{0x04, 0x40}, g.within(true, g.statements, depth), []byte{0x05}, g.within(true, g.statements, depth), []byte{0x0b})
	case 6:
		return join(g.expr(depth-1), []byte{0x1a})
	case 7: // memory.fill or copy of up to 1023 bytes
		op := []byte{0xfc, 11, 0}
		if g.IntN(2) == 0 {
			op = []byte{0xfc, 10, 0, 0}
		}
		return join(g.expr(depth-1), []byte{0x41, 0xff, 0x0f, 0x71}, g.expr(depth-1), []byte{0x41, 0xff, 0x0f, 0x71},
			g.expr(depth-1), []byte{0x41, 0xff, 0x07, 0x71}, op)
	case 8:
		return g.branch(depth)
	default:
		return g.loop(depth)
	}
}

// branch leaves a block around, or several by a table.
func (g *generator) branch(depth int) []byte {
	var to []int
	for i, leave := range g.leave {
		if leave {
			to = append(to, len(g.leave)-1-i)
		}
	}
	if len(to) == 0 {
		return nil
	}
	pick := func() []byte { return uleb(to[g.IntN(len(to))]) }
	if g.IntN(3) > 0 {
		return join(g.expr(depth-1), []byte{0x0d}, pick())
	}
	return join(g.expr(depth-1), []byte{0x0e}, uleb(2), pick(), pick(), pick(), g.statements(depth-1))
}

// loop counts a local of its own down; it may have the value it works on as a
// parameter.
func (g *generator) loop(depth int) []byte {
	counter := byte(genCounter + g.loops)
	if g.loops == 4 {
		return nil
	}
	g.loops++
	defer func() { g.loops-- }()
	set := []byte{0x41, byte(1 + g.IntN(9)), 0x21, counter}
	down := []byte{0x20, counter, 0x41, 1, 0x6b, 0x22, counter, 0x0d, 0}
	if g.IntN(3) == 0 { // type 1: i32 -> i32
		work := g.within(false, func(d int) []byte { return join([]byte{0x21, 0}, g.statements(d), g.expr(d), down) }, depth)
		return join(g.expr(depth-1), set, []byte{0x03, 1}, work, []byte{0x0b, 0x21, byte(g.IntN(genCounter))})
	}
	return join(set, []byte{0x03, 0x40}, g.within(false, func(d int) []byte { return join(g.statements(d), down) }, depth), []byte{0x0b})
}

func sleb(v int64) (b []byte) {
	for ; v < -0x40 || v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

// module writes a module of some functions; every one is exported as its number.
func (g *generator) module() []byte {
	g.imports = g.IntN(3)
	count := 1 + g.IntN(6)
	var imports, functions, bodies, exports, elements, names [][]byte
	for range g.imports {
		imports = append(imports, join(named("host"), named("f"), []byte{0, 0}))
	}
	for i := range g.imports + count {
		elements = append(elements, uleb(i))
		names = append(names, join(uleb(i), named(fmt.Sprint("f", i))))
	}
	for i := range count {
		g.index, g.loops, g.leave = g.imports+i, 0, nil
		code := join(g.statements(4), g.expr(4))
		functions = append(functions, []byte{0})
		bodies = append(bodies, sized(join([]byte{1, 6, 0x7f}, code, []byte{0x0b})...))
		exports = append(exports, join(named(fmt.Sprint(i)), []byte{0}, uleb(g.index)))
	}
	exports = append(exports, join(named("memory"), []byte{2, 0}))
	globals := make([][]byte, genGlobals)
	for i := range globals {
		globals[i] = join([]byte{0x7f, 1, 0x41}, sleb(int64(int32(g.Uint32()))), []byte{0x0b})
	}
	table := g.imports + count
	sections := [][]byte{
		vector(1, []byte{0x60, 2, 0x7f, 0x7f, 1, 0x7f}, []byte{0x60, 1, 0x7f, 1, 0x7f}),
		vector(2, imports...),
		vector(3, functions...),
		vector(4, join([]byte{0x70, 0}, uleb(table))),
		vector(5, []byte{0, 1}),
		vector(6, globals...),
		custom("between", 1, 2, 3),
		vector(7, exports...),
		vector(9, join([]byte{0, 0x41, 0, 0x0b}, uleb(table), join(elements...))),
		vector(10, bodies...),
		vector(11, join([]byte{0, 0x41, 0, 0x0b}, named("some bytes"))),
		custom("name", join([]byte{1}, sized(join(uleb(table), join(names...))...))...),
	}
	return module(sections...)
}

// P(random module): the same results, globals and memory with and without
// counting, in both engines.
func TestRandomModules(t *testing.T) {
	t.Parallel()
	count := uint64(100)
	if testing.Short() {
		count = 20
	}
	for engine, config := range engines {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			r := newRuntime(t, config())
			provideHost(t, r)
			for seed := range count {
				wasm := (&generator{Rand: rand.New(rand.NewPCG(seed, 1))}).module()
				globals, layout := rewritten(t, wasm, rewrite.Options{Globals: true})
				want := results(t, r, globals, layout, seed)
				for _, period := range []int32{0, 1, 11} {
					out, layout := rewritten(t, wasm, rewrite.Options{Globals: true, Fuel: true, Period: period})
					if diff := cmp.Diff(want, results(t, r, out, layout, seed)); diff != "" {
						t.Fatalf("seed %d, period %d: %s\n%x", seed, period, diff, wasm)
					}
				}
			}
		})
	}
}

// results are those of calling each function, and what that leaves.
func results(t *testing.T, r wazero.Runtime, wasm []byte, layout *rewrite.Layout, seed uint64) (got []string) {
	t.Helper()
	ctx := t.Context()
	compiled, err := r.CompileModule(ctx, wasm)
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	defer compiled.Close(ctx)
	mod, err := r.InstantiateModule(ctx, compiled, wazero.NewModuleConfig().WithName(""))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	defer mod.Close(ctx)
	for i := 0; ; i++ {
		f := mod.ExportedFunction(fmt.Sprint(i))
		if f == nil {
			break
		}
		res, err := f.Call(ctx, seed, 0xdecaf)
		got = append(got, fmt.Sprint(i, res, firstLine(err)))
	}
	for _, g := range layout.Globals {
		got = append(got, fmt.Sprint(g, mod.ExportedGlobal(g.Name).Get()))
	}
	b, _ := mod.Memory().Read(0, mod.Memory().Size())
	return append(got, fmt.Sprintf("%x", sha256.Sum256(b)))
}

// provideHost provides the function that generated modules import: a mix of its
// arguments.
func provideHost(t *testing.T, r wazero.Runtime) {
	t.Helper()
	_, err := r.NewHostModuleBuilder("host").NewFunctionBuilder().
		WithFunc(func(a, b uint32) uint32 { return a*31 + b }).Export("f").Instantiate(context.Background())
	if err != nil {
		t.Fatal(err)
	}
}
