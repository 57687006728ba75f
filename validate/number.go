package validate

import "strconv"

// number walks over the number at i and writes it as ECMAScript writes the
// double nearest to it. One that overflows is a violation at its end
//
func (s *scanner) number(i int) int {
	end, plain := s.numeral(i)
	if plain || end < 0 || s.src.isShortest(i, end) {
		return end
	}
	f, err := strconv.ParseFloat(stringOf(s.src[i:end]), 64)
	if err != nil {
		return s.fail(ErrToken)
	}
	var buf [24]byte // -1.7976931348623157e+308
	if b := appendNumber(buf[:0], f); string(b) != string(s.src[i:end]) {
		s.replace(i, end, b)
	}
	return end
}

// numeral walks over the number at i and judges its grammar alone. It reports
// whether the number is plain, that is, sure to be canonical: at most 15
// significant digits, which a double keeps apart; no exponent; no zero at the
// end of a fraction; 1e-6 or more, as what is smaller takes an exponent; not
// -0.
func (s *scanner) numeral(i int) (end int, plain bool) {
	negative := s.src.at(i) == '-'
	if negative {
		i++
	}
	whole := i
	zero := s.src.at(i) == '0'
	if i = s.src.digits(i); zero {
		i = whole + 1 // more digits are not the number's
	}
	if i == whole {
		return s.fail(ErrSyntax), false
	}
	c := s.src.at(i)
	if c != '.' && c|0x20 != 'e' {
		return i, i-whole <= 15 && !(zero && negative)
	}
	if c == '.' {
		point := i
		if i = s.src.digits(i + 1); i == point+1 {
			return s.fail(ErrSyntax), false
		}
		significant := i - whole - 1
		if zero {
			significant--
		}
		small := zero && s.src.word(point+1)&sixBytes == '0'*ones&sixBytes
		plain = significant <= 15 && !small && s.src.at(i-1) != '0'
		c = s.src.at(i)
	}
	if c|0x20 == 'e' {
		plain = false
		i++
		if c := s.src.at(i); c == '+' || c == '-' {
			i++
		}
		exponent := i
		if i = s.src.digits(i); i == exponent {
			return s.fail(ErrSyntax), false
		}
	}
	return i, plain
}

// sixBytes are the low bytes of a word: as many zeros after the point as make a
// number small.
const sixBytes = 1<<48 - 1

// digits is the first position from i on that is no digit.
func (s source) digits(i int) int {
	for {
		x := s.word(i)
		if m := ((x - '0'*ones) | (x + (0x7F-'9')*ones)) & highs; m != 0 {
			return i + first(m)
		}
		i += 8
	}
}

// appendNumber appends f, which is finite, as ECMAScript's Number::toString
// writes it.
func appendNumber(dst []byte, f float64) []byte {
	if f == 0 {
		return append(dst, '0') // -0 too
	}
	if size := max(f, -f); 1e-6 <= size && size < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' { // e-07
		dst = append(dst[:n-2], dst[n-1])
	}
	return dst
}
