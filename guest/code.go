package guest

import "github.com/wazqueue/wazqueue/guest/rewrite"

// code is a module as it is compiled.
type code struct {
	wasm       []byte
	metered    bool     // it leaves to Go by itself, where its context is looked at
	rewindable bool     // memory and globals are an instance's whole state
	why        []string // it is not
	globals    []string // exports of the mutable globals
}

// prepare rewrites a module so that it can be stopped and rewound. One that
// rewrite does not understand is compiled as it is: wazero then looks at the
// context at every turn of a loop, and instances are never rewound.
func prepare(wasm []byte) code {
	m, err := rewrite.Parse(wasm)
	if err != nil {
		return code{wasm: wasm, why: []string{err.Error()}}
	}
	out, layout, err := m.Rewrite(rewrite.Options{Globals: true, Fuel: true})
	if err != nil {
		return code{wasm: wasm, why: []string{err.Error()}}
	}
	c := code{wasm: out, metered: true}
	c.rewindable, c.why = m.Rewindable()
	for _, g := range layout.Globals {
		c.globals = append(c.globals, g.Name)
	}
	return c
}
