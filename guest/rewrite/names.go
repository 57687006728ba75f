package rewrite

import "strings"

const nameSection = "name"

// The parts of the name section that rewriting, or wazero, reads. (Core spec 2.0,
// 7.4.1; labels are of the extended name section proposal.)
const (
	nameOfModule     = 0
	namesOfFunctions = 1
	namesOfLocals    = 2
	namesOfLabels    = 3
)

// custom appends a custom section, or nothing at all if it is of no use any more.
func (e *edit) custom(out []byte, s section) []byte {
	out = appendName(out, s.name)
	switch {
	case e.meter == nil:
	case s.name == nameSection:
		return e.names(out, e.reader(s.span))
	case pointsIntoCode(s.name):
		return nil
	}
	return append(out, e.b[s.at:s.end]...)
}

// pointsIntoCode reports whether a custom section holds offsets of instructions:
// debug information, what a linker has left, hints for compilers.
func pointsIntoCode(name string) bool {
	return strings.HasPrefix(name, ".debug_") || strings.HasPrefix(name, "reloc.") || name == "linking" ||
		strings.HasPrefix(name, "metadata.code.") || name == "sourceMappingURL" || name == "external_debug_info"
}

// names appends the name section's content, with the functions' new indices.
// Labels that are malformed are left out; wazero does not read them.
func (e *edit) names(out []byte, r *reader) []byte {
	for r.at < r.end {
		id := r.byte()
		part := r.part()
		var refs []span
		if id == namesOfFunctions || id == namesOfLocals || id == namesOfLabels {
			in := e.reader(part)
			refs = in.namedFunctions(id != namesOfFunctions)
			if in.done() != nil {
				continue
			}
		}
		content := e.replace(nil, part, refs)
		out = append(appendU32(append(out, id), uint32(len(content))), content...)
	}
	return out
}

// names reads the name section as far as wazero does, which refuses a module for
// what is wrong there.
func (r *reader) names() {
	for r.at < r.end {
		id := r.byte()
		part := r.part()
		in := &reader{b: r.b, at: part.at, end: part.end}
		switch id {
		case nameOfModule:
			in.name()
		case namesOfFunctions, namesOfLocals:
			in.namedFunctions(id == namesOfLocals)
		default:
			continue
		}
		if err := in.done(); err != nil && r.err == nil {
			r.err = err
		}
	}
}

// part reads the size of what follows, and skips that.
func (r *reader) part() span {
	n := r.count(1)
	r.skip(n)
	return span{r.at - n, r.at}
}

// namedFunctions reads a map from functions to names, or to maps of names, and
// returns where the functions stand.
func (r *reader) namedFunctions(indirect bool) (at []span) {
	for n := r.count(2); n > 0 && r.err == nil; n-- {
		at = append(at, r.index())
		if !indirect {
			r.name()
			continue
		}
		for names := r.count(2); names > 0 && r.err == nil; names-- {
			r.u32()
			r.name()
		}
	}
	return at
}
