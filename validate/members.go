package validate

import (
	"bytes"
	"slices"
)

// member is one member of an open object. Its quoted name is the output from
// offset start to end; a colon and its value follow, then the next member's
// comma.
type member struct {
	hash       uint64 // of the name
	start, end int
	value      int // the member whose value it has: its own, or of equal names the last one's
}

// dropped is the value of a member whose name an earlier one has.
const dropped = -1

// few is up to how many members names are looked up one by one.
const few = 32

// repeats reports whether m, the next member of o, has a name that was there
// before. The first of that name then takes m's value.
func (s *scanner) repeats(o *object, m member) bool {
	j := s.find(o, m.hash, s.nameOf(&m))
	if j < 0 {
		return false
	}
	s.members[j].value = m.value
	o.disorder = true
	return true
}

// nameOf is the name of m, without its quotes.
func (s *scanner) nameOf(m *member) []byte { return s.written(m.start+1, m.end-1) }

// leave forgets the members of o, which is the innermost open object.
func (s *scanner) leave(o *object) {
	s.members = s.members[:o.first]
	if o.tabled {
		s.slots = s.slots[:o.table]
	}
}

// find is the first member of o that has the name, negative if there is none;
// then the next member is going to have it.
func (s *scanner) find(o *object, hash uint64, name []byte) int {
	next := len(s.members)
	if next-o.first <= few {
		for j := o.first; j < next; j++ {
			if s.is(j, hash, name) {
				return j
			}
		}
		return -1
	}
	s.tabulate(o)
	table := s.slots[o.table:]
	i := s.hash.place(hash, len(table))
	for ; table[i] != 0; i = (i + 1) & (len(table) - 1) {
		if j := int(table[i] - 1); s.is(j, hash, name) {
			return j
		}
	}
	table[i] = uint32(next + 1)
	return -1
}

// is reports whether member j is the first that has the name.
func (s *scanner) is(j int, hash uint64, name []byte) bool {
	m := &s.members[j]
	return m.hash == hash && m.value != dropped && bytes.Equal(s.nameOf(m), name)
}

// tabulate gives o a hash table, or one of twice the size when it is half full.
// It is open addressing: a slot holds 1 + the member's index, 0 if it is free;
// the size is a power of 2. Tables are stacked as the objects are, and only the
// innermost object gets new members, so the last table can grow.
func (s *scanner) tabulate(o *object) {
	size := 4 * few
	if o.tabled {
		size = len(s.slots) - o.table
		if 2*(len(s.members)-o.first) < size {
			return
		}
		size *= 2
	} else {
		o.tabled, o.table = true, len(s.slots)
		o.seen = ^uint64(0) // each name is to be looked up from now on
	}
	s.slots = slices.Grow(s.slots[:o.table], size)[:o.table+size]
	table := s.slots[o.table:]
	clear(table)
	for j := o.first; j < len(s.members); j++ {
		if s.members[j].value == dropped {
			continue
		}
		i := s.hash.place(s.members[j].hash, size)
		for table[i] != 0 {
			i = (i + 1) & (size - 1)
		}
		table[i] = uint32(j + 1)
	}
}
