package rewrite

import "fmt"

// hazard is something that outlives putting memory and globals back.
type hazard int

const (
	tableSet hazard = iota
	tableGrow
	tableFill
	tableInit
	tableCopy
	elemDrop
	memoryInit
	dataDrop
	importedGlobal
	importedMemory
	importedTable
	refGlobal
	v128Global
	hazards
)

var hazardNames = [hazards]string{
	tableSet: "table.set", tableGrow: "table.grow", tableFill: "table.fill", tableInit: "table.init",
	tableCopy: "table.copy", elemDrop: "elem.drop", memoryInit: "memory.init", dataDrop: "data.drop",
	importedGlobal: "imported mutable global", importedMemory: "imported memory", importedTable: "imported table",
	refGlobal: "mutable global of a reference type", v128Global: "mutable global of type v128",
}

// hazardOf is what an instruction changes besides memory and globals: tables,
// and which segments are left.
var hazardOf = map[opcode]hazard{
	opTableSet: tableSet, opTableGrow: tableGrow, opTableFill: tableFill, opTableInit: tableInit,
	opTableCopy: tableCopy, opElemDrop: elemDrop, opMemoryInit: memoryInit, opDataDrop: dataDrop,
}

// Rewindable reports whether an instance is again what it was once its memory
// and the globals that Options.Globals exports have the contents they had. If
// not, why names each reason once, with how often it stands in the module.
func (m *Module) Rewindable() (ok bool, why []string) {
	for h, n := range m.hazards {
		if n > 0 {
			why = append(why, fmt.Sprintf("%s (%d)", hazardNames[h], n))
		}
	}
	return len(why) == 0, why
}

// readCode reads the functions' bodies. (Core spec 2.0, 5.5.13.)
func (m *Module) readCode(r *reader) {
	m.bodies = r.count(3)
	for i := 0; i < m.bodies && r.err == nil; i++ {
		body := m.reader(r.part())
		code := body.walk(func(in instruction) {
			switch {
			case in.op == opTableSet || in.op >= opMemoryInit && in.op>>8 == prefixMisc:
				if h, found := hazardOf[in.op]; found {
					m.hazards[h]++
				}
				m.metered = m.metered || isBulk(in.op)
			case in.op == opLoop, in.op == opCall, in.op == opCallTable:
				m.metered = true
			}
		})
		if err := body.done(); err != nil {
			r.err = fmt.Errorf("function %d: %w", i+m.imported[kindFunction], err)
			return
		}
		m.metered = m.metered || code.end-code.at > leafBytes
	}
}
