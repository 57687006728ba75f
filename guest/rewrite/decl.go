package rewrite

// readTypes reads the function types. (Core spec 2.0, 5.5.4.)
func (m *Module) readTypes(r *reader) {
	m.types = r.count(3)
	for i := range m.types {
		if form := r.byte(); form != 0x60 {
			r.fail("type of form %#x", form)
		}
		values := 0
		for range 2 { // parameters, results
			n := r.count(1)
			for range n {
				r.valueType()
			}
			values += n
		}
		if values == 0 && m.emptyType < 0 && r.err == nil {
			m.emptyType = i
		}
	}
}

// readImports reads the imports. (Core spec 2.0, 5.5.5.)
func (m *Module) readImports(r *reader) {
	for n := r.count(4); n > 0 && r.err == nil; n-- {
		r.name()
		r.name()
		kind := r.byte()
		switch kind {
		case kindFunction:
			m.typeIndex(r)
		case kindTable:
			r.table()
			m.hazards[importedTable]++
		case kindMemory:
			r.memory()
			m.hazards[importedMemory]++
		case kindGlobal:
			if g := r.global(); g.mutable {
				m.hazards[importedGlobal]++
			}
		default:
			r.fail("import of kind %d", kind)
			return
		}
		m.imported[kind]++
	}
}

// readFunctions reads the declarations of functions. (Core spec 2.0, 5.5.6.)
func (m *Module) readFunctions(r *reader) {
	m.functions = r.count(1)
	for range m.functions {
		m.typeIndex(r)
	}
}

// typeIndex reads the type of a function. That it exists is checked since wazero
// 1.12 does not: it panics when such a function is called in the code.
func (m *Module) typeIndex(r *reader) {
	if i := r.u32(); int64(i) >= int64(m.types) {
		r.fail("type %d of %d", i, m.types)
	}
}

// table reads a table's type. wazero also takes an initial value here, which a
// later version has and which can name a function; it begins with another byte
// than any reference type. (Core spec 2.0, 5.5.7.)
func (r *reader) table() {
	r.refType()
	r.limits()
}

func (r *reader) memory() { r.limits() }

// limits reads a size's bounds. (Core spec 2.0, 5.3.7.)
func (r *reader) limits() {
	flag := r.byte()
	r.u32()
	switch flag {
	case 0:
	case 1:
		r.u32()
	default:
		r.fail("limits of kind %d", flag)
	}
}

// readMemories reads the memories. (Core spec 2.0, 5.5.8.)
func (m *Module) readMemories(r *reader) {
	n := r.count(2)
	if n+m.imported[kindMemory] > 1 {
		r.fail("more than one memory")
	}
	for range n {
		r.memory()
	}
}

// global reads a global's type. (Core spec 2.0, 5.3.10.)
func (r *reader) global() global {
	g := global{typ: r.valueType()}
	switch c := r.byte(); c {
	case 0:
	case 1:
		g.mutable = true
	default:
		r.fail("mutability %d", c)
	}
	return g
}

// readGlobals reads the globals. (Core spec 2.0, 5.5.9.)
func (m *Module) readGlobals(r *reader) {
	for n := r.count(3); n > 0 && r.err == nil; n-- {
		g := r.global()
		switch {
		case !g.mutable:
		case isRef(g.typ):
			m.hazards[refGlobal]++
		case g.typ == typeV128:
			m.hazards[v128Global]++
		}
		m.globals = append(m.globals, g)
		m.references = append(m.references, r.constant()...)
	}
}

// readExports reads the exports. (Core spec 2.0, 5.5.10.)
func (m *Module) readExports(r *reader) {
	for n := r.count(3); n > 0 && r.err == nil; n-- {
		m.exports[r.name()] = true
		kind := r.byte()
		at := r.index()
		switch {
		case kind > kindGlobal:
			r.fail("export of kind %d", kind)
		case kind == kindFunction:
			m.references = append(m.references, at)
		}
	}
}

// readElements reads the element segments. The lowest bit of what they begin
// with says that the segment is not active, the next one that it names its table
// (or, not active, that it is declarative), the third that its items are
// expressions. (Core spec 2.0, 5.5.12.)
func (m *Module) readElements(r *reader) {
	for n := r.count(2); n > 0 && r.err == nil; n-- {
		flags := r.u32()
		if flags > 7 {
			r.fail("element segment of kind %d", flags)
		}
		active, explicit, expressions := flags&1 == 0, flags&2 != 0, flags&4 != 0
		if active {
			if explicit {
				r.u32()
			}
			m.references = append(m.references, r.constant()...)
		}
		if !active || explicit {
			if expressions {
				r.refType()
			} else {
				r.zero()
			}
		}
		for items := r.count(1); items > 0 && r.err == nil; items-- {
			if expressions {
				m.references = append(m.references, r.constant()...)
			} else {
				m.references = append(m.references, r.index())
			}
		}
	}
}

// data reads the data segments. (Core spec 2.0, 5.5.14.)
func (r *reader) data() {
	for n := r.count(2); n > 0 && r.err == nil; n-- {
		kind := r.u32()
		switch kind {
		case 0, 1: // active, passive
		case 2: // active in a memory that is named
			r.zero()
		default:
			r.fail("data segment of kind %d", kind)
		}
		if kind != 1 {
			r.constant()
		}
		r.skip(r.count(1))
	}
}
