package guest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/rewrite"
	"github.com/wazqueue/wazqueue/hostfn"
)

// Report is what Inspect finds in a module.
type Report struct {
	// Imports are the functions the module imports, in its order.
	Imports []Import
	// Entries are the exports that events call, by name.
	Entries []string
	// Kinds are those of queue and fetch that the module has an entry for.
	Kinds []string
	// Instance says whether events would run in new instances or rewound ones,
	// and Why gives the reasons. They are there where Problems is empty.
	Instance Reuse
	Why      []string
	// Problems are the reasons why Load refuses the module. Empty for one that
	// can run.
	Problems []string
}

// Import is one imported function, and whether the host offers it.
type Import struct {
	Module, Name string
	Offered      bool
}

// LoadError is the refusal of a module, with every reason there is.
type LoadError struct{ Problems []string }

func (e *LoadError) Error() string { return strings.Join(e.Problems, "; ") }

// examine compares the module with what the host offers and the configuration
// needs.
func (p *Program) examine() *Report {
	r := &Report{}
	for _, d := range p.compiled.ImportedFunctions() {
		if module, _, _ := d.Import(); module != rewrite.CheckModule && p.engine == nil { // ours
			r.lookUp(p.offered, d)
		}
	}
	for _, d := range p.compiled.ImportedMemories() {
		module, name, _ := d.Import()
		r.problem("import %s.%s: the host offers no memories", module, name)
	}
	return r
}

// examineEntries compares the program's entries with what the configuration
// needs.
func (p *Program) examineEntries(r *Report) {
	for _, kind := range []string{hostfn.KindQueue, hostfn.KindFetch} {
		if name, ok := p.entries.of(kind); ok {
			r.Kinds = append(r.Kinds, kind)
			r.Entries = append(r.Entries, name)
		}
	}
	r.Entries = slices.Compact(r.Entries)
	for _, kind := range p.config.Needs {
		if _, ok := p.entries.of(kind); !ok {
			names := entryNames(kind)
			if p.engine == nil {
				names = append(names, start)
			}
			r.problem("no entry for %s events: export %s", kind, strings.Join(names, " or "))
		}
	}
	names := append(slices.Clone(r.Entries), initialize)
	for _, kind := range p.config.Needs {
		if name, ok := p.entries.of(kind); ok && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if d := p.entries[name]; d != nil {
			if m := mistake(name, d); m != "" {
				r.problem("%s", m)
			}
		}
	}
}

func (r *Report) problem(format string, args ...any) {
	r.Problems = append(r.Problems, fmt.Sprintf(format, args...))
}

// lookUp records an import and what is wrong with it.
func (r *Report) lookUp(offered func(module, name string) api.FunctionDefinition, d api.FunctionDefinition) {
	module, name, _ := d.Import()
	host := offered(module, name)
	switch {
	case host == nil:
		r.problem("import %s.%s is not offered", module, name)
	case typeOf(host) != typeOf(d):
		r.problem("import %s.%s has the type %s, the host offers %s", module, name, typeOf(d), typeOf(host))
	}
	r.Imports = append(r.Imports, Import{module, name, host != nil})
}

func (p *Program) offered(module, name string) api.FunctionDefinition {
	m := p.runtime.Module(module)
	if m == nil {
		return nil
	}
	return m.ExportedFunctionDefinitions()[name]
}

// notCompiled explains bytes that were not compiled.
func (p *Program) notCompiled(ctx context.Context, wasm []byte, err error) string {
	switch {
	case !bytes.HasPrefix(wasm, []byte("\x00asm")):
		return "not a WebAssembly module: it does not begin with \\0asm"
	case len(wasm) >= 8 && wasm[6] == 1:
		return "a WebAssembly component: a core module is needed"
	}
	// The error may be of what was made of the bytes, or of the memory limit:
	// what is wrong with the bytes themselves says this.
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigInterpreter())
	defer r.Close(ctx)
	if _, ofBytes := r.CompileModule(ctx, wasm); ofBytes != nil {
		return "not a valid WebAssembly module: " + ofBytes.Error()
	}
	return fmt.Sprintf("it needs more memory than the limit of %d MiB: %v", p.config.MemoryMiB, err)
}
