package validate

import (
	"math/bits"
	"unicode/utf8"

	sonic "github.com/bytedance/sonic/utf8"
)

// text walks over the string whose opening quote is at i, eight bytes at a time
// where they stand for themselves.
func (s *scanner) text(i int) int {
	i++
	from, high := i, uint64(0)
	for {
		word := s.src.word(i)
		stop := stops(word)
		if stop == 0 {
			high |= word
			i += 8
			continue
		}
		high |= word & below(stop)
		i += first(stop)
		switch s.src.at(i) {
		case '"':
			if high&highs != 0 && !validUTF8(s.src[from:i]) {
				return s.fail(ErrSyntax)
			}
			return i + 1
		case '\\':
			if i = s.escape(i); i < 0 {
				return failed
			}
		default:
			return s.fail(ErrSyntax)
		}
	}
}

const (
	ones  = 0x0101010101010101 // a 1 in each byte
	highs = 0x80 * ones        // the high bit of each byte
)

// stops has the high bit of each byte of x that ends a string's run of plain
// bytes: a control character, a quote or a backslash. Only the lowest bit is to
// be trusted: a subtraction that finds something borrows from the bytes above.
func stops(x uint64) uint64 {
	// Flipping bit 1 takes the quote (0x22) below 0x21, where the control
	// characters stay, and the space out of there.
	low := (x ^ 2*ones) - 0x21*ones
	backslash := (x ^ '\\'*ones) - ones
	return (low | backslash) &^ x & highs
}

// first is the number of the lowest byte that m marks, 8 if it marks none.
func first(m uint64) int { return bits.TrailingZeros64(m) / 8 }

// below covers the bytes under the lowest one that m marks, all of them if it
// marks none.
func below(m uint64) uint64 { return m&-m - 1 }

// validUTF8 is utf8.Valid at the best speed for the size: sonic checks with the
// processor's vectors, but its call costs as much as 30 bytes of Go's.
func validUTF8(b []byte) bool {
	if len(b) < 32 {
		return utf8.Valid(b)
	}
	return sonic.Validate(b)
}
