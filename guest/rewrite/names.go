package rewrite

import "strings"

// The parts of the name section that are about functions. (Core spec 2.0, 7.4.1;
// labels are of the extended name section proposal.)
const (
	namesOfFunctions = 1
	namesOfLocals    = 2
	namesOfLabels    = 3
)

// custom appends a custom section, or nothing at all if it is of no use any more.
func (e *edit) custom(out []byte, s section) []byte {
	out = appendName(out, s.name)
	switch {
	case e.meter == nil:
	case s.name == "name":
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

// names appends the name section's content, with the functions' new indices. It
// serves for traces only, so one that is malformed is left out.
func (e *edit) names(out []byte, r *reader) []byte {
	for r.at < r.end {
		id := r.byte()
		size := r.count(1)
		part := e.reader(span{r.at, r.at + size})
		r.at += size
		var refs []span
		if id == namesOfFunctions || id == namesOfLocals || id == namesOfLabels {
			refs = part.namedFunctions(id != namesOfFunctions)
			if part.done() != nil {
				return nil
			}
		}
		if r.err != nil {
			return nil
		}
		content := e.replace(nil, span{r.at - size, r.at}, refs)
		out = append(appendU32(append(out, id), uint32(len(content))), content...)
	}
	return out
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
