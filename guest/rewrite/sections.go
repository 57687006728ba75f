package rewrite

import (
	"bytes"
	"fmt"
)

// Section ids. (Core spec 2.0, 5.5.2.)
const (
	secCustom byte = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	sectionIDs
)

// rank is a section's place: all but custom ones stand in this order, at most
// once each.
var rank = [sectionIDs]int{
	secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secGlobal: 6,
	secExport: 7, secStart: 8, secElement: 9, secDataCount: 10, secCode: 11, secData: 12,
}

// Kinds of imports and exports.
const (
	kindFunction byte = iota
	kindTable
	kindMemory
	kindGlobal
)

const header = "\x00asm\x01\x00\x00\x00"

// section is one section's content.
type section struct {
	id byte
	span
	name string // of a custom section; span is then what follows it
}

// Module is a module as far as rewriting has to know it. It holds on to the
// bytes it was parsed from, which must not change. It is safe for concurrent use.
type Module struct {
	b        []byte
	sections []section

	types     int
	emptyType int    // the index of the type of functions without parameters and results, or -1
	imported  [4]int // per kind
	functions int    // declared
	bodies    int
	globals   []global
	exports   map[string]bool
	// references are the places outside of code where the index of a function
	// stands, in their order.
	references []span

	hazards [hazards]int
	metered bool // some function has something to check
}

// global is one the module defines itself.
type global struct {
	typ     byte
	mutable bool
}

// Parse reads a module. Its error is that of bytes that are no module of
// WebAssembly 2.0: wazero would refuse them, or was told to take more than that.
// It takes time and memory in proportion to the bytes and never panics. It looks
// at structure only: a module without an error can still be invalid. But no count
// in it promises more than there is, so that wazero can decode it in such bounds too.
func Parse(wasm []byte) (*Module, error) {
	m := &Module{b: wasm, emptyType: -1, exports: map[string]bool{}}
	if !bytes.HasPrefix(wasm, []byte(header)) {
		return nil, fmt.Errorf("rewrite: not a WebAssembly module of version 1")
	}
	r := &reader{b: wasm, at: len(header), end: len(wasm)}
	last := 0
	for r.at < r.end {
		s := section{id: r.byte()}
		n := r.count(1)
		switch {
		case r.err != nil:
		case s.id >= sectionIDs:
			r.fail("unknown section %d", s.id)
		case s.id != secCustom && rank[s.id] <= last:
			r.fail("section %d out of order", s.id)
		}
		if r.err != nil {
			return nil, fmt.Errorf("rewrite: %w", r.err)
		}
		last = max(last, rank[s.id])
		s.span = span{r.at, r.at + n}
		r.at += n
		if err := m.section(&s); err != nil {
			return nil, fmt.Errorf("rewrite: section %d: %w", s.id, err)
		}
		m.sections = append(m.sections, s)
	}
	if m.functions != m.bodies {
		return nil, fmt.Errorf("rewrite: %d functions, %d bodies", m.functions, m.bodies)
	}
	return m, nil
}

func (m *Module) reader(s span) *reader { return &reader{b: m.b, at: s.at, end: s.end} }

func (m *Module) section(s *section) error {
	r := m.reader(s.span)
	switch s.id {
	case secCustom:
		s.name = r.name()
		s.at = r.at
		if s.name == nameSection {
			r.names()
		}
		r.at = r.end // whatever else it may hold
	case secType:
		m.readTypes(r)
	case secImport:
		m.readImports(r)
	case secFunction:
		m.readFunctions(r)
	case secTable:
		for n := r.count(3); n > 0; n-- {
			r.table()
		}
	case secMemory:
		m.readMemories(r)
	case secGlobal:
		m.readGlobals(r)
	case secExport:
		m.readExports(r)
	case secStart:
		m.references = append(m.references, r.index())
	case secElement:
		m.readElements(r)
	case secCode:
		m.readCode(r)
	case secData:
		r.data()
	case secDataCount:
		r.u32()
	}
	return r.done()
}
