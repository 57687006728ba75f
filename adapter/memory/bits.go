package memory

import "math/bits"

// chunk is the largest number of messages in one record.
const chunk = 128

// set is a set of a record's messages by their places in it.
type set [chunk / 64]uint64

// first is the set of the first n places.
func first(n int) (s set) {
	for i := range s {
		switch rest := n - 64*i; {
		case rest >= 64:
			s[i] = ^uint64(0)
		case rest > 0:
			s[i] = 1<<rest - 1
		}
	}
	return s
}

func (s set) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s *set) add(i int)     { s[i/64] |= 1 << (i % 64) }
func (s *set) remove(i int)  { s[i/64] &^= 1 << (i % 64) }
func (s set) empty() bool    { return s == set{} }

func (s set) len() int {
	n := 0
	for _, w := range s {
		n += bits.OnesCount64(w)
	}
	return n
}

func (s set) and(o set) set {
	for i := range s {
		s[i] &= o[i]
	}
	return s
}

// minus returns what is in s and not in o.
func (s set) minus(o set) set {
	for i := range s {
		s[i] &^= o[i]
	}
	return s
}

// lowest returns the n lowest places of s, or all of it.
func (s set) lowest(n int) (low set) {
	for i := range s.all {
		if n == 0 {
			break
		}
		low.add(i)
		n--
	}
	return low
}

// all yields the places in ascending order.
func (s set) all(yield func(int) bool) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !yield(64*i + bits.TrailingZeros64(w)) {
				return
			}
		}
	}
}
