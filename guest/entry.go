package guest

import (
	"fmt"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/hostfn"
)

// The exports that the runtime calls by itself.
const (
	initialize = "_initialize" // of a reactor, after each instantiation
	start      = "_start"      // of a command, once for every event
)

// entries are a module's exported functions by name, or a script's, which have
// no definition.
type entries map[string]api.FunctionDefinition

// entryNames returns the exports that can serve a kind, the first there is
// being the one. A kind that is an embedder's own has an entry of its name.
func entryNames(kind string) []string {
	switch kind {
	case hostfn.KindQueue:
		return []string{"处理队列批次", "queue"}
	case hostfn.KindFetch:
		return []string{"处理入站网页请求", "fetch"}
	}
	return []string{kind}
}

// of returns the name of the export that serves a kind.
func (e entries) of(kind string) (string, bool) {
	if e.command() {
		return start, true
	}
	return e.named(kind)
}

func (e entries) named(kind string) (string, bool) {
	for _, name := range entryNames(kind) {
		if _, ok := e[name]; ok {
			return name, true
		}
	}
	return "", false
}

// command reports whether _start serves every event: there is one, and no entry
// for either kind.
func (e entries) command() bool {
	_, has := e[start]
	_, queue := e.named(hostfn.KindQueue)
	_, fetch := e.named(hostfn.KindFetch)
	return has && !queue && !fetch
}

// mistake says what is wrong with an entry's type, or nothing: it takes no
// parameters and returns nothing or an i32.
func mistake(name string, d api.FunctionDefinition) string {
	results := d.ResultTypes()
	if len(d.ParamTypes()) > 0 || len(results) > 1 || len(results) == 1 && results[0] != api.ValueTypeI32 {
		return fmt.Sprintf("export %s has the type %s: an entry takes no parameters and returns nothing or an i32", name, typeOf(d))
	}
	return ""
}

// typeOf writes a function's type as (i32 i64) → (i32).
func typeOf(d api.FunctionDefinition) string {
	return list(d.ParamTypes()) + " → " + list(d.ResultTypes())
}

func list(types []api.ValueType) string {
	s := "("
	for i, t := range types {
		if i > 0 {
			s += " "
		}
		s += api.ValueTypeName(t)
	}
	return s + ")"
}
