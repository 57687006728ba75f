package rewrite

import (
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/api"
)

// Global is an exported mutable global. The value is what api.MutableGlobal's
// Get and Set carry.
type Global struct {
	Name string
	Type api.ValueType
}

// exportGlobals exports each mutable global whose value fits into the 64 bits
// and means the same in Go. The others, and imported ones, make the module one
// that is not rewindable. What rewriting itself added is not the guest's state.
func (e *edit) exportGlobals() {
	prefix := e.freePrefix()
	for i, g := range e.globals {
		if !g.mutable || isRef(g.typ) || g.typ == typeV128 {
			continue
		}
		index := i + e.imported[kindGlobal]
		name := fmt.Sprint(prefix, index)
		e.export(name, kindGlobal, uint32(index))
		e.layout.Globals = append(e.layout.Globals, Global{name, g.typ})
	}
}

// freePrefix is one that no export of the module begins with.
func (e *edit) freePrefix() string {
	const base = "wazqueue global "
	underscores := 0
	for name := range e.exports {
		if i := strings.Index(name, base); i >= 0 && strings.Trim(name[:i], "_") == "" {
			underscores = max(underscores, i+1)
		}
	}
	return strings.Repeat("_", underscores) + base
}

func (e *edit) export(name string, kind byte, index uint32) {
	x := &e.more[secExport]
	x.n++
	x.b = appendU32(append(appendName(x.b, name), kind), index)
}
