package validate

import "slices"

// reorder gives the members of o, which are the output from start on, V8's
// order: array indexes ascending, then the other names as they first came, each
// with its last value.
func (s *scanner) reorder(o *object, start int) {
	members := s.members[o.first:]
	s.order = s.order[:0]
	for j, m := range members {
		if m.value == dropped {
			continue
		}
		if n, ok := arrayIndex(s.out[m.start+1 : m.end-1]); ok {
			s.order = append(s.order, n<<32|uint64(j))
		}
	}
	slices.Sort(s.order)
	s.spare = s.spare[:0]
	for _, n := range s.order {
		m := &members[uint32(n)]
		s.take(m)
		m.value = dropped
	}
	for j := range members {
		if members[j].value != dropped {
			s.take(&members[j])
		}
	}
	s.out = append(s.out[:start], s.spare...)
}

// take appends a member of the innermost object to spare.
func (s *scanner) take(m *member) {
	end := len(s.out)
	if next := m.value + 1; next < len(s.members) {
		end = s.members[next].start - len(",")
	}
	if len(s.spare) > 0 {
		s.spare = append(s.spare, ',')
	}
	s.spare = append(s.spare, s.out[m.start:m.end]...)
	s.spare = append(s.spare, s.out[s.members[m.value].end:end]...)
}
