package validate

// name walks over the name at i, of a member or of a batch's item, and returns
// it in canonical form, without the quotes. It is good until the next write to
// the output.
func (s *scanner) name(i int) (end int, name []byte) {
	start := s.offset(i)
	if i = s.text(i); i < 0 {
		return failed, nil
	}
	if start < len(s.out) { // it was rewritten, the end of it is still pending
		s.flush(i)
	}
	return i, s.written(start+1, s.offset(i)-1)
}

// isToken reports whether an object that has a member of this name is a host
// token. The name is canonical: no escape hides it.
func isToken(name []byte) bool {
	switch string(name) {
	case "$句柄", "$未定义", "$大整数", "$数字":
		return true
	}
	return false
}

// rank notes what a name that may be an array index means for the order of the
// members.
func (o *object) rank(name []byte) {
	n, ok := arrayIndex(name)
	if !ok {
		o.named = true
		return
	}
	if o.named || int64(n) <= o.lastIndex {
		o.disorder = true
	}
	o.lastIndex = int64(n)
}

// arrayIndex is the number that a name is the canonical decimal form of, if it
// is one that ECMAScript takes for an array index: 0 to 2^32-2.
func arrayIndex(name []byte) (n uint64, ok bool) {
	if len(name) == 0 || len(name) > len("4294967294") || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	for _, c := range name {
		if !isDigit(c) {
			return 0, false
		}
		n = 10*n + uint64(c-'0')
	}
	return n, n < 1<<32-1
}
