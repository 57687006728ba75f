package validate

import "slices"

// scanner walks once over a text, from left to right, and writes its canonical
// form.
//
// Positions in the source are plain ints. A method that walks takes the
// position where it starts and returns the one where it stopped, or failed, and
// then err has the reason.
//
// What is canonical already is not copied piece by piece: the source from mark
// to where the walk has got is pending output, and flush appends it when
// something else is to be written. So position i of the walk is, and stays,
// offset len(out)+i-mark of the output, wherever its bytes are at the time; the
// members of open objects are remembered by that.
type scanner struct {
	src  source
	out  []byte
	mark int
	room int // levels that may still open
	err  error

	// What is kept from walk to walk.
	hash    hasher
	members []member // of the open objects, the outermost first
	slots   []uint32 // tables of the open objects that have many members
	order   []uint64 // reorder's array indexes
	spare   []byte   // reorder's output
	items   []item   // Batch's result, and
	bodies  []byte   // its bodies one after the other
}

// failed is the position of a walk that met a violation.
const failed = -1

func (s *scanner) fail(err error) int {
	s.err = err
	return failed
}

// start makes s ready to walk over a text that is nested at most depth levels,
// appending to dst.
func (s *scanner) start(dst, text []byte, depth int) {
	s.src = s.src.fill(text)
	s.out, s.mark, s.room = dst, 0, depth
	s.members, s.slots = s.members[:0], s.slots[:0]
}

// end finishes a walk whose value ended at i, if it did: only blanks may
// follow.
func (s *scanner) end(i int) int {
	if i < 0 {
		return failed
	}
	if i < s.src.size() {
		if i = s.blanks(i); i < s.src.size() {
			return s.fail(ErrSyntax)
		}
	}
	s.flush(i)
	return i
}

// value walks over the value at i and the blanks before it.
func (s *scanner) value(i int) int {
	c := s.src.at(i)
	if c <= ' ' {
		i = s.drop(i)
		c = s.src.at(i)
	}
	switch {
	case c == '"':
		return s.text(i)
	case isDigit(c) || c == '-':
		return s.number(i)
	case c == '{':
		return s.object(i + 1)
	case c == '[':
		return s.array(i + 1)
	}
	return s.literal(i)
}

// array walks over what follows an opening bracket.
func (s *scanner) array(i int) int {
	if s.room <= 0 {
		return s.fail(ErrDepth)
	}
	s.room--
	i = s.blanks(i)
	if s.src.at(i) == ']' {
		return s.close(i)
	}
	for {
		if i = s.value(i); i < 0 {
			return failed
		}
		i = s.blanks(i)
		switch s.src.at(i) {
		case ',':
			i++
		case ']':
			return s.close(i)
		default:
			return s.fail(ErrSyntax)
		}
	}
}

// close walks over the bracket or brace that ends a level.
func (s *scanner) close(i int) int {
	s.room++
	return i + 1
}

// literal walks over true, false or null.
func (s *scanner) literal(i int) int {
	switch s.src.half(i) {
	case 't' | 'r'<<8 | 'u'<<16 | 'e'<<24, 'n' | 'u'<<8 | 'l'<<16 | 'l'<<24:
		return i + 4
	case 'f' | 'a'<<8 | 'l'<<16 | 's'<<24:
		if s.src.at(i+4) == 'e' {
			return i + 5
		}
	}
	return s.fail(ErrSyntax)
}

// blanks walks over white space, if there is any.
func (s *scanner) blanks(i int) int {
	if s.src.at(i) > ' ' {
		return i
	}
	return s.drop(i)
}

// drop walks over white space and leaves it out of the output. It is kept out
// of line to keep blanks, its callers' quick way, short.
//
//go:noinline
func (s *scanner) drop(i int) int {
	s.flush(i)
	i = s.src.skip(i)
	s.mark = i
	return i
}

// skip is the first position from i on that is no white space.
func (s source) skip(i int) int {
	for isBlank(s.at(i)) {
		i++
	}
	return i
}

// flush appends the pending output, up to i. If there is no room it makes room
// for what is left of the text as well, which is nearly always enough.
func (s *scanner) flush(i int) {
	pending := s.src[s.mark:i]
	if len(pending) > cap(s.out)-len(s.out) {
		s.out = slices.Grow(s.out, s.src.size()-s.mark)
	}
	s.out = append(s.out, pending...)
	s.mark = i
}

// replace writes b for the source from i to end.
func (s *scanner) replace(i, end int, b []byte) {
	s.flush(i)
	s.out = append(s.out, b...)
	s.mark = end
}

// offset is the place in the output of the position i of the walk.
func (s *scanner) offset(i int) int { return len(s.out) + i - s.mark }

// written is the output from offset from to offset to, which must not have been
// flushed apart from each other.
func (s *scanner) written(from, to int) []byte {
	if from < len(s.out) {
		return s.out[from:to]
	}
	pending := s.mark - len(s.out)
	return s.src[pending+from : pending+to]
}

func isDigit(c byte) bool { return c-'0' <= 9 }

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
