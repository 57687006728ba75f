package validate

import "math/bits"

// isShortest reports that the number from i to end, which is not plain, is sure
// to be canonical nevertheless. That spares most numbers of 16 and 17 digits,
// which is how programs write their doubles, the way to a double and back.
func (s source) isShortest(i, end int) bool {
	if s.at(i) == '-' {
		i++
	}
	if end-i > 20 {
		return false // its digits may not fit in a word
	}
	point := s.digits(i)
	if point == end {
		digits := s.decimal(i, end-i)
		if digits <= 1<<53 {
			return digits > 0 // -0 is not canonical
		}
		return shortest(digits, 0)
	}
	if s.at(point) != '.' || s.digits(point+1) != end {
		return false
	}
	fraction := end - point - 1
	return shortest(s.decimal(i, point-i)*tens[fraction]+s.decimal(point+1, fraction), fraction)
}

// tens are the powers of 10 that fit in a word.
var tens = func() (tens [20]uint64) {
	tens[0] = 1
	for i := range tens[1:] {
		tens[i+1] = 10 * tens[i]
	}
	return tens
}()

// decimal is the value of the n digits from i on, n < 20.
func (s source) decimal(i, n int) (value uint64) {
	for ; n >= 8; i, n = i+8, n-8 {
		value = value*1e8 + eightDigits(s.word(i))
	}
	if n > 0 {
		value = value*tens[n] + eightDigits(s.word(i)<<(64-8*n))
	}
	return value
}

// eightDigits is the value of a word of eight digits, the first of which is in
// the lowest place. Neighbours are put together, then pairs, then fours. A zero
// byte counts as the digit 0.
func eightDigits(word uint64) uint64 {
	word = (word & 0x0F0F0F0F0F0F0F0F) * (10<<8 + 1) >> 8
	word = (word & 0x00FF00FF00FF00FF) * (100<<16 + 1) >> 16
	return (word & 0x0000FFFF0000FFFF) * (10000<<32 + 1) >> 32
}

// shortest reports that no decimal shorter than T = digits/10^fraction, and none
// as short that is nearer, stands for the double nearest to T: then T is how
// ECMAScript writes that double. The answer is certain if it is yes.
//
// T is scaled by a power of 2 to be q and a remainder below 1, where q has 64
// bits. A double has 53 of them, so the nearest one, V, is q rounded to a
// multiple of 2048, and it is what everything less than 1024 from it rounds to.
// In that scale 1 in the last digit of T counts T/digits, at least unit. Shorter
// decimals are tens of it apart; if the two next to T are further than 1024 from
// V they do not stand for V. Decimals as short as T are one of it apart; if V is
// less than half of that from T none is nearer.
func shortest(digits uint64, fraction int) bool {
	if digits < 1e15 || digits >= 1e17 {
		return false // 1e-4 or less, or more digits than a double needs
	}
	divisor := tens[fraction]
	high := digits << bits.LeadingZeros64(digits)
	divisor <<= bits.LeadingZeros64(divisor)
	low := uint64(0)
	if high >= divisor {
		high, low = high>>1, high<<63
	}
	q, _ := bits.Div64(high, low, divisor)

	unit := int64(q / digits)
	off := int64(q % 2048) // T-V is from off to off+1
	if off == 1024 {
		return false // close to the middle of two doubles
	}
	if off > 1024 {
		off -= 2048
		if q>>11 == 1<<53-1 {
			return false // V is a power of 2, above it doubles are further apart
		}
	}
	last := int64(digits % 10) // if it is 0, T is as long as it need not be
	return last*unit-off-1 > 1024 && (10-last)*unit+off > 1024 && 2*off+2 < unit && -2*off < unit
}
