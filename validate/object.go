package validate

// object is what is known of an open object besides its members.
type object struct {
	first     int    // its first member in scanner.members
	seen      uint64 // a Bloom filter of its names' hashes
	tabled    bool   // scanner.slots from table on are its own
	table     int
	lastIndex int64 // the last name that was an array index
	named     bool  // there was a name that was none
	disorder  bool  // V8 gives its members another order than they came in
}

// object walks over what follows an opening brace.
func (s *scanner) object(i int) int {
	if s.room <= 0 {
		return s.fail(ErrDepth)
	}
	s.room--
	i = s.blanks(i)
	if s.src.at(i) == '}' {
		return s.close(i)
	}
	o, start := object{first: len(s.members), lastIndex: -1}, s.offset(i)
	for {
		if i = s.key(&o, i); i < 0 {
			return failed
		}
		if i = s.value(i); i < 0 {
			return failed
		}
		i = s.blanks(i)
		switch s.src.at(i) {
		case ',':
			i = s.blanks(i + 1)
		case '}':
			if o.disorder {
				s.flush(i)
				s.reorder(&o, start)
			}
			s.leave(&o)
			return s.close(i)
		default:
			return s.fail(ErrSyntax)
		}
	}
}

// key walks over the name at i and its colon, and makes it the next member of
// o.
func (s *scanner) key(o *object, i int) int {
	if s.src.at(i) != '"' {
		return s.fail(ErrSyntax)
	}
	start := s.offset(i)
	// A single load finds the end of most names, and is their identity.
	word := s.src.word(i + 1)
	stop := stops(word)
	before := below(stop) // with 7 bits of the byte that stops
	lead, hash := byte(word), uint64(0)
	if n := first(stop); n < 8 && word&before&highs == 0 && s.src.at(i+1+n) == '"' {
		hash = s.hash.short(word&(before>>7), n)
		i += n + 2
	} else {
		var name []byte // longer, or of more than plain ASCII: not empty
		if i, name = s.name(i); i < 0 {
			return failed
		}
		lead, hash = name[0], s.hash.of(name)
	}
	m := member{hash: hash, start: start, end: s.offset(i), value: len(s.members)}
	if lead <= '9' { // so do tokens and array indexes begin
		name := s.nameOf(&m)
		if isToken(name) {
			return s.fail(ErrToken)
		}
		o.rank(name)
	} else {
		o.named = true
	}
	bit := uint64(1) << (hash % 64)
	if o.seen&bit != 0 && s.repeats(o, m) {
		m.value = dropped
	}
	o.seen |= bit
	s.members = append(s.members, m)
	i = s.blanks(i)
	if s.src.at(i) != ':' {
		return s.fail(ErrSyntax)
	}
	return i + 1
}
