package validate

import "unicode/utf8"

// escape walks over the escape whose backslash is at i and writes it as
// JSON.stringify would: short where there is a short form, else the character
// itself where that may stand in a string, else \u and lower case.
func (s *scanner) escape(i int) int {
	switch s.src.at(i + 1) {
	case '"', '\\', 'b', 'f', 'n', 'r', 't':
		return i + 2
	case '/':
		s.replace(i, i+1, nil)
		return i + 2
	case 'u':
		return s.unicode(i)
	}
	return s.fail(ErrSyntax)
}

// unicode walks over the \u escape at i, and the next one too if the two are a
// surrogate pair.
func (s *scanner) unicode(i int) int {
	r, end := s.src.hex(i+2), i+6
	if r < 0 {
		return s.fail(ErrSyntax)
	}
	if isHigh(r) && s.src.at(end) == '\\' && s.src.at(end+1) == 'u' {
		if low := s.src.hex(end + 2); isLow(low) {
			r = 0x10000 + (r-0xD800)<<10 + low - 0xDC00
			end += 6
		}
	}
	var buf [6]byte
	if b := appendRune(buf[:0], r); string(b) != string(s.src[i:end]) {
		s.replace(i, end, b)
	}
	return end
}

// A surrogate is the high or the low half of a pair that stands for one rune.
func isHigh(r rune) bool      { return 0xD800 <= r && r < 0xDC00 }
func isLow(r rune) bool       { return 0xDC00 <= r && r < 0xE000 }
func isSurrogate(r rune) bool { return 0xD800 <= r && r < 0xE000 }

// appendRune appends r, or half of a surrogate pair, as it stands in a
// canonical string.
func appendRune(dst []byte, r rune) []byte {
	switch {
	case r == '"' || r == '\\':
		return append(dst, '\\', byte(r))
	case r < ' ' && short[r] != 0:
		return append(dst, '\\', short[r])
	case r < ' ' || isSurrogate(r):
		const hex = "0123456789abcdef"
		return append(dst, '\\', 'u', hex[r>>12], hex[r>>8&15], hex[r>>4&15], hex[r&15])
	}
	return utf8.AppendRune(dst, r)
}

// short has the letters of the control characters that have a short escape.
var short = [' ']byte{'\b': 'b', '\t': 't', '\n': 'n', '\f': 'f', '\r': 'r'}

// hex is the value of the four hexadecimal digits at i, negative if they are
// not such.
func (s source) hex(i int) rune {
	a, b, c, d := nibble[s.at(i)], nibble[s.at(i+1)], nibble[s.at(i+2)], nibble[s.at(i+3)]
	if a|b|c|d < 0 {
		return -1
	}
	return rune(a)<<12 | rune(b)<<8 | rune(c)<<4 | rune(d)
}

// nibble has the values of the hexadecimal digits, -1 for every other byte.
var nibble = func() (values [256]int8) {
	for i := range values {
		switch c := byte(i); {
		case isDigit(c):
			values[i] = int8(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			values[i] = int8(c|0x20-'a') + 10
		default:
			values[i] = -1
		}
	}
	return values
}()
