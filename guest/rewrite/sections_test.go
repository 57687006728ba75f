package rewrite_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// Every place where a function can stand: a module whose functions return numbers
// and that calls them, or refers to them, in each of the ways there are.
func TestFunctionsKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	number := func(n byte) []byte { return body(0x41, n) }
	for _, host := range []int{0, 1, 126, 127, 128} { // the index may need another byte than before
		imports := slices.Repeat([][]byte{join(named("host"), named("seven"), []byte{0, 0})}, host)
		f := func(i int) []byte { return uleb(host + i) }
		indirect := func(table, at byte) []byte { return []byte{0x41, at, 0x11, 0, table} }
		bodies := [][]byte{
			number(1), number(2), number(3), number(4),
			body(join([]byte{0x10}, f(0))...), // 4: call
			body(indirect(0, 0)...),           // 5: an element, by its index
			body(indirect(0, 1)...),           // 6: … in a segment that names its table
			body(indirect(0, 2)...),           // 7: … by an expression
			body(indirect(1, 0)...),           // 8: … by an expression, and a table
			body(join([]byte{0x41, 2, 0x23, 0, 0x26, 1}, indirect(1, 2))...),                 // 9: a global
			body(join([]byte{0x41, 3, 0xd2}, f(2), []byte{0x26, 1}, indirect(1, 3))...),      // 10: ref.func
			body(join([]byte{0x41, 4, 0x41, 0, 0x41, 1, 0xfc, 12, 4, 1}, indirect(1, 4))...), // 11: a passive segment
			body(join([]byte{0x41, 5, 0x41, 0, 0x41, 1, 0xfc, 12, 5, 1}, indirect(1, 5))...), // 12: … of expressions
			body(0x23, 1), // 13: what the start function left
			sized(join([]byte{0, 0x41, 44, 0x24, 1, 0x0b})...), // 14: the start function
		}
		functions := slices.Repeat([][]byte{{0}}, len(bodies))
		functions[14] = []byte{1}
		exports := [][]byte{join(named("exported"), []byte{0}, f(3))}
		for i := 4; i < 14; i++ {
			exports = append(exports, join(named(names[i-4]), []byte{0}, f(i)))
		}
		expression := func(i int) []byte { return join([]byte{0xd2}, f(i), []byte{0x0b}) }
		wasm := module(
			vector(1, []byte{0x60, 0, 1, 0x7f}, nothing),
			vector(2, imports...),
			vector(3, functions...),
			vector(4, []byte{0x70, 0, 8}, []byte{0x70, 0, 8}),
			vector(6, join([]byte{0x70, 0}, expression(1)), []byte{0x7f, 1, 0x41, 0, 0x0b}),
			vector(7, exports...),
			section(8, f(14)...),
			vector(9,
				join([]byte{0, 0x41, 0, 0x0b, 1}, f(0)),
				join([]byte{2, 0, 0x41, 1, 0x0b, 0, 1}, f(1)),
				join([]byte{4, 0x41, 2, 0x0b, 1}, expression(2)),
				join([]byte{6, 1, 0x41, 0, 0x0b, 0x70, 1}, expression(3)),
				join([]byte{1, 0, 1}, f(0)),
				join([]byte{5, 0x70, 1}, expression(1)),
				join([]byte{3, 0, 1}, f(2)),
				join([]byte{7, 0x70, 1}, expression(2)),
			),
			vector(10, bodies...),
		)
		want := map[string]uint64{"exported": 4, "call": 1, "element": 1, "element of a table": 2, "expression": 3,
			"expression of a table": 4, "global": 2, "reference": 3, "passive": 1, "passive expression": 2, "start": 44}
		for name, o := range both {
			out, _ := rewritten(t, wasm, o)
			if diff := cmp.Diff(want, callAll(t, out)); diff != "" {
				t.Errorf("%d imports, %s: %s", host, name, diff)
			}
		}
	}
}

var names = []string{"call", "element", "element of a table", "expression", "expression of a table", "global",
	"reference", "passive", "passive expression", "start"}

func callAll(t *testing.T, wasm []byte) map[string]uint64 {
	t.Helper()
	r := newRuntime(t, wazero.NewRuntimeConfig())
	seven := func(context.Context) uint32 { return 7 }
	if _, err := r.NewHostModuleBuilder("host").NewFunctionBuilder().WithFunc(seven).Export("seven").Instantiate(t.Context()); err != nil {
		t.Fatal(err)
	}
	mod := instantiate(t, r, wasm)
	got := map[string]uint64{}
	for name := range mod.ExportedFunctionDefinitions() {
		res, err := mod.ExportedFunction(name).Call(t.Context())
		if err != nil {
			t.Fatal(name, err)
		}
		got[name] = res[0]
	}
	return got
}

// What a module has not, but needs, is put where it belongs: the type of the
// check, the import section, globals, exports.
func TestSectionsThatAreMissing(t *testing.T) {
	t.Parallel()
	number := []byte{0x60, 0, 1, 0x7f}
	run := vector(7, join(named("run"), []byte{0, 0}))
	looping := vector(10, body(0x03, 0x7f, 0x41, 5, 0x0b))
	for name, wasm := range map[string][]byte{
		"globals and imports": module(vector(1, number), vector(3, []byte{0}), run, looping),
		"between others":      module(vector(1, number), custom("a"), vector(3, []byte{0}), custom("b"), vector(5, []byte{0, 1}), custom("c"), run, custom("d"), looping),
		"with a data count":   module(vector(1, number), vector(3, []byte{0}), run, section(12, 0), looping, section(11, 0)),
		"with empty ones":     module(vector(1, number), section(2, 0), vector(3, []byte{0}), section(6, 0), run, section(9, 0), looping),
	} {
		out, layout := rewritten(t, wasm, rewrite.Options{Globals: true, Fuel: true})
		if diff := cmp.Diff(map[string]uint64{"run": 5}, callAll(t, out)); diff != "" || !layout.Checks {
			t.Error(name, diff)
		}
	}
	// A global, and nothing else.
	out, layout := rewritten(t, module(vector(6, []byte{0x7c, 1, 0x44, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 0x0b})), rewrite.Options{Globals: true, Fuel: true})
	mod := instantiate(t, newRuntime(t, wazero.NewRuntimeConfig()), out)
	if g := mod.ExportedGlobal(layout.Globals[0].Name); api.DecodeF64(g.Get()) != 1 || layout.Checks {
		t.Error(g, layout)
	}
}

// Functions without calls and loops need no check: such a module imports nothing.
func TestNothingToCheck(t *testing.T) {
	t.Parallel()
	for name, wasm := range map[string][]byte{
		"empty":  module(),
		"a leaf": module(vector(1, nothing), vector(3, []byte{0}), vector(10, body(0x02, 0x40, 0x0c, 0, 0x0b))),
	} {
		out, layout := rewritten(t, wasm, rewrite.Options{Fuel: true})
		if !slices.Equal(out, wasm) || layout.Checks {
			t.Error(name, "changed")
		}
	}
}

// Names follow their functions, so that traces stay right; what points into the
// code is left out.
func TestCustomSections(t *testing.T) {
	t.Parallel()
	funcs := func(from byte) []byte {
		return join([]byte{1}, sized(join([]byte{2, from}, named("first"), []byte{from + 1}, named("second"))...))
	}
	locals := func(f byte) []byte { return join([]byte{2}, sized(join([]byte{1, f, 1, 0}, named("x"))...)) }
	labels := func(f byte) []byte { return join([]byte{3}, sized(join([]byte{1, f, 1, 0}, named("l"))...)) }
	moduleName := join([]byte{0}, sized(named("m")...))
	globalNames := join([]byte{7}, sized(join([]byte{1, 0}, named("g"))...))
	base := [][]byte{vector(1, nothing), vector(3, []byte{0}, []byte{0}), vector(10, body(0x10, 1), body(0x00))}
	with := func(customs ...[]byte) []byte { return module(append(base[:3:3], customs...)...) }
	for name, tc := range map[string]struct{ in, want [][]byte }{
		"names": {
			[][]byte{custom("name", join(moduleName, funcs(0), locals(1), labels(0), globalNames)...)},
			[][]byte{custom("name", join(moduleName, funcs(1), locals(2), labels(1), globalNames)...)},
		},
		"malformed labels": {
			[][]byte{custom("name", join(moduleName, []byte{3, 2, 9, 9}, funcs(0))...)},
			[][]byte{custom("name", join(moduleName, funcs(1))...)},
		},
		"debug information":   {[][]byte{custom(".debug_info", 1), custom(".debug_line", 1), custom("sourceMappingURL", 1), custom("linking"), custom("reloc.CODE"), custom("metadata.code.branch_hint")}, nil},
		"others":              {[][]byte{custom("producers", 1, 2), custom("", 3)}, [][]byte{custom("producers", 1, 2), custom("", 3)}},
		"a name like another": {[][]byte{custom("named", 1)}, [][]byte{custom("named", 1)}},
	} {
		fuel, _ := rewritten(t, with(tc.in...), rewrite.Options{Fuel: true})
		if diff := cmp.Diff(tc.want, customs(fuel)); diff != "" {
			t.Error(name, diff)
		}
		globals, _ := rewritten(t, with(tc.in...), rewrite.Options{Globals: true})
		if diff := cmp.Diff(tc.in, customs(globals)); diff != "" {
			t.Error(name, diff)
		}
	}
	out, _ := rewritten(t, with(custom("name", funcs(0)...)), rewrite.Options{Fuel: true})
	compiled, err := newRuntime(t, wazero.NewRuntimeConfig()).CompileModule(t.Context(), out)
	if err != nil {
		t.Fatal(err)
	}
	if imported := compiled.ImportedFunctions(); len(imported) != 1 || imported[0].Name() != "" {
		t.Error(imported)
	}
}

// customs are the custom sections of a module, whole.
func customs(wasm []byte) (found [][]byte) {
	for at := len(header); at < len(wasm); {
		id, size, n := wasm[at], 0, 1
		for shift := 0; ; shift += 7 {
			c := wasm[at+n]
			size |= int(c&0x7f) << shift
			n++
			if c < 0x80 {
				break
			}
		}
		if id == 0 {
			found = append(found, wasm[at:at+n+size])
		}
		at += n + size
	}
	return found
}

// The names of the exports that are added are not taken.
func TestExportNames(t *testing.T) {
	t.Parallel()
	taken := [][]byte{}
	for _, name := range []string{"wazqueue global 0", "_wazqueue global 1", "x_wazqueue global 7"} {
		taken = append(taken, join(named(name), []byte{3, 0}))
	}
	wasm := module(
		vector(2, join(named("a"), named("b"), []byte{3, 0x7e, 0})),
		vector(6, []byte{0x7f, 1, 0x41, 1, 0x0b}, []byte{0x7f, 0, 0x41, 2, 0x0b}, []byte{0x7d, 1, 0x43, 0, 0, 0, 0, 0x0b},
			[]byte{0x70, 1, 0xd0, 0x70, 0x0b}),
		vector(7, taken...),
	)
	out, layout := rewritten(t, wasm, rewrite.Options{Globals: true})
	want := []rewrite.Global{{Name: "__wazqueue global 1", Type: api.ValueTypeI32}, {Name: "__wazqueue global 3", Type: api.ValueTypeF32}}
	if diff := cmp.Diff(want, layout.Globals); diff != "" {
		t.Error(diff)
	}
	if _, err := newRuntime(t, wazero.NewRuntimeConfig()).CompileModule(t.Context(), out); err != nil {
		t.Error(err)
	}
}
