package rewrite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

var nothing = []byte{0x60, 0, 0}

// guests are the modules of testdata/guests, by name.
func guests(tb testing.TB) map[string][]byte {
	tb.Helper()
	files, err := filepath.Glob("../../testdata/guests/*.wasm")
	if err != nil || len(files) < 10 {
		tb.Fatal("no guests", err)
	}
	found := map[string][]byte{}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".wasm")] = b
	}
	return found
}

func TestRefusedModules(t *testing.T) {
	t.Parallel()
	types, functions := vector(1, nothing), vector(3, []byte{0})
	for name, wasm := range map[string][]byte{
		"nothing":                     {},
		"another format":              []byte("\x00asm\x0d\x00\x01\x00"),
		"a section without its size":  module([]byte{1}),
		"a section cut off":           module([]byte{1, 4, 1, 0x60}),
		"an unknown section":          module(section(14)),
		"tags":                        module(types, section(13, 1, 0, 0)),
		"sections out of order":       module(functions, types),
		"two of a section":            module(types, types),
		"data count behind the code":  module(types, functions, vector(10, body()), section(12, 0)),
		"a section too long":          module(section(1, 1, 0x60, 0, 0, 0)),
		"a section too short":         module(section(1, 2, 0x60, 0, 0)),
		"more items than bytes":       module(section(1, 0xff, 0xff, 0xff, 0xff, 0x0f)),
		"a struct type":               module(vector(1, []byte{0x5f, 0, 0})),
		"a recursive type":            module(vector(1, []byte{0x4e, 1, 0x60, 0, 0})),
		"an exception reference":      module(vector(1, []byte{0x60, 1, 0x69, 0})),
		"a function of no type":       module(types, vector(3, []byte{1}), vector(10, body())),
		"an import of no type":        module(vector(2, join(named("a"), named("b"), []byte{0, 0}))),
		"an import of a tag":          module(types, vector(2, join(named("a"), named("b"), []byte{4, 0, 0}))),
		"a shared memory":             module(vector(5, []byte{3, 1, 1})),
		"a 64-bit memory":             module(vector(5, []byte{4, 1})),
		"two memories":                module(vector(5, []byte{0, 1}, []byte{0, 1})),
		"a second, imported memory":   module(vector(2, join(named("a"), named("b"), []byte{2, 0, 1})), vector(5, []byte{0, 1})),
		"a table with an initial ref": module(types, functions, vector(4, []byte{0x40, 0, 0x70, 0, 1, 0xd2, 0, 0x0b}), vector(10, body())),
		"a global of mutability 2":    module(vector(6, []byte{0x7f, 2, 0x41, 0, 0x0b})),
		"an extended constant":        module(vector(6, []byte{0x7f, 0, 0x41, 0, 0x41, 0, 0x6a, 0x0b})),
		"an endless constant":         module(vector(6, []byte{0x7f, 0, 0x41, 0})),
		"an export of kind 4":         module(vector(7, join(named("a"), []byte{4, 0}))),
		"an export not in UTF-8":      module(vector(7, join(named("\xff"), []byte{3, 0}))),
		"an element of kind 8":        module(vector(9, []byte{8, 0})),
		"an element kind 1":           module(vector(9, []byte{1, 1, 0})),
		"a function without code":     module(types, functions),
		"code without a function":     module(types, vector(10, body())),
		"a local of a typed ref":      module(types, functions, vector(10, sized(1, 1, 0x63, 0x70, 0x0b))),
		"more locals than bytes":      module(types, functions, vector(10, sized(0xff, 0xff, 0x03, 0x0b))),
		"more locals than sensible":   module(types, functions, vector(10, sized(2, 0xc0, 0x9a, 0x0c, 0x7f, 1, 0x7f, 0x0b))),
		"malformed names":             module(custom("name", 1, 2, 9, 9)),
		"names too short":             module(custom("name", 1, 4, 1, 0, 0, 0)),
		"names cut off":               module(custom("name", 2, 4, 1)),
		"names of locals cut off":     module(custom("name", 2, 3, 1, 0, 9)),
		"a module name too long":      module(custom("name", 0, 2, 9, 'm')),
		"a data segment of kind 3":    module(vector(11, []byte{3, 0})),
		"a data segment cut off":      module(vector(11, []byte{1, 9, 0})),
		"a segment of memory 1":       module(vector(11, []byte{2, 1, 0x41, 0, 0x0b, 0})),
		"more data than bytes":        module(section(11, 0xff, 0xff, 0xff, 0xff, 0x0f)),
		"an empty function":           module(types, functions, vector(10, sized())),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := rewrite.Parse(wasm); err == nil {
				t.Error("taken")
			}
		})
	}
}

func TestRewindable(t *testing.T) {
	t.Parallel()
	imported := func(desc ...byte) []byte { return join(named("m"), named("n"), desc) }
	for name, tc := range map[string]struct {
		wasm []byte
		want []string
	}{
		"nothing":                {module(), nil},
		"reading a table":        {function(0x41, 0, 0x25, 0, 0x1a, 0xfc, 16, 0, 0x1a), nil},
		"growing memory":         {function(0x41, 1, 0x40, 0, 0x1a), nil},
		"an imported constant":   {module(vector(2, imported(3, 0x7f, 0))), nil},
		"a constant reference":   {module(vector(6, []byte{0x70, 0, 0xd0, 0x70, 0x0b})), nil},
		"a constant v128":        {module(vector(6, join([]byte{0x7b, 0, 0xfd, 0x0c}, make([]byte, 16), []byte{0x0b}))), nil},
		"writing a table":        {function(0x00, 0x26, 0, 0x00, 0x26, 0), []string{"table.set (2)"}},
		"changing a table":       {function(0x00, 0xfc, 15, 0, 0xfc, 17, 0, 0xfc, 12, 0, 0, 0xfc, 14, 0, 0, 0xfc, 13, 0), []string{"table.grow (1)", "table.fill (1)", "table.init (1)", "table.copy (1)", "elem.drop (1)"}},
		"using data segments":    {function(0x00, 0xfc, 8, 0, 0, 0xfc, 9, 0), []string{"memory.init (1)", "data.drop (1)"}},
		"in dead code":           {function(0x00, 0xfc, 9, 0), []string{"data.drop (1)"}},
		"an imported variable":   {module(vector(2, imported(3, 0x7f, 1), imported(3, 0x7e, 1))), []string{"imported mutable global (2)"}},
		"an imported memory":     {module(vector(2, imported(2, 0, 1))), []string{"imported memory (1)"}},
		"an imported table":      {module(vector(2, imported(1, 0x70, 0, 1))), []string{"imported table (1)"}},
		"a variable reference":   {module(vector(6, []byte{0x6f, 1, 0xd0, 0x6f, 0x0b})), []string{"mutable global of a reference type (1)"}},
		"a variable v128":        {module(vector(6, join([]byte{0x7b, 1, 0xfd, 0x0c}, make([]byte, 16), []byte{0x0b}))), []string{"mutable global of type v128 (1)"}},
		"what fuel adds changes": {programs, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := rewrite.Parse(tc.wasm)
			if err != nil {
				t.Fatal(err)
			}
			ok, why := m.Rewindable()
			if diff := cmp.Diff(tc.want, why); diff != "" || ok != (len(tc.want) == 0) {
				t.Error(ok, diff)
			}
		})
	}
}

// None of the languages there are guests in writes tables or drops segments.
func TestGuestsAreRewindable(t *testing.T) {
	t.Parallel()
	for name, wasm := range guests(t) {
		m, err := rewrite.Parse(wasm)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if ok, why := m.Rewindable(); !ok {
			t.Errorf("%s: %v", name, why)
		}
	}
}

// Truncated anywhere, or with a bit turned over, a module is refused or taken,
// and what is taken does not become something that wazero refuses for it.
func TestDamaged(t *testing.T) {
	t.Parallel()
	r := newRuntime(t, wazero.NewRuntimeConfigInterpreter())
	for name, wasm := range map[string][]byte{"wat": guests(t)["page-wat"], "programs": programs, "endless": endless} {
		t.Run(name, func(t *testing.T) {
			for i := range wasm {
				checkSame(t, r, wasm[:i])
				flipped := append([]byte(nil), wasm...)
				flipped[i] ^= 1 << (i % 8)
				checkSame(t, r, flipped)
			}
		})
	}
}

// checkSame checks that whatever wazero compiles it also compiles rewritten, if
// Parse takes it.
func checkSame(t *testing.T, r wazero.Runtime, wasm []byte) {
	t.Helper()
	m, err := rewrite.Parse(wasm)
	if err != nil {
		return
	}
	compiled, err := compile(r, wasm)
	if err != nil {
		_, _, _ = m.Rewrite(rewrite.Options{Globals: true, Fuel: true})
		return
	}
	_ = compiled.Close(t.Context())
	for name, o := range both {
		out, layout, err := m.Rewrite(o)
		if err != nil {
			t.Fatal(err)
		}
		compiled, err := compile(r, out)
		if err != nil {
			t.Fatalf("%s: %v, of\n%x", name, err, wasm)
		}
		imports := len(compiled.ImportedFunctions())
		_ = compiled.Close(t.Context())
		again, err := rewrite.Parse(out)
		if err != nil {
			t.Fatalf("%s: the result is refused: %v", name, err)
		}
		_, before := m.Rewindable()
		if _, after := again.Rewindable(); cmp.Diff(before, after) != "" {
			t.Fatalf("%s: rewindable %v, then %v", name, before, after)
		}
		if layout.Checks && imports == 0 {
			t.Fatalf("%s: no import", name)
		}
	}
}

// compile makes an error of wazero's panics, which it has for some modules that
// are not valid.
func compile(r wazero.Runtime, wasm []byte) (m wazero.CompiledModule, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return r.CompileModule(context.Background(), wasm)
}
