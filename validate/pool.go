package validate

import "sync"

// scanners at rest. A walk does not wait for anything, so there are about as
// many as there are processors; those that stay idle are the garbage
// collector's.
var scanners = sync.Pool{New: func() any { return &scanner{hash: newHasher()} }}

func borrow() *scanner { return scanners.Get().(*scanner) }

// heavy is the weight in bytes from which a scanner is not kept. The worst of
// bodies stays below, and so does the largest batch whose objects are ordinary.
const heavy = 4 << 20

// giveBack ends the use of s and of what it returned, except for its output.
func (s *scanner) giveBack() {
	s.out, s.err = nil, nil
	if s.weight() < heavy {
		scanners.Put(s)
	}
}

// weight is what s holds on to, in bytes.
func (s *scanner) weight() int {
	return cap(s.src) + cap(s.bodies) + cap(s.spare) +
		32*cap(s.members) + 24*cap(s.items) + 8*cap(s.order) + 4*cap(s.slots)
}
