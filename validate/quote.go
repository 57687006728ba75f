package validate

import (
	"encoding/binary"
	"unicode/utf8"
)

// AppendString appends s as JSON.stringify writes a string, with its quotes. A
// byte that is not part of valid UTF-8 becomes U+FFFD.
func AppendString(dst []byte, s string) []byte {
	b := bytesOf(s)
	dst = append(dst, '"')
	for {
		n, high := plainPrefix(b)
		if high && !validUTF8(b[:n]) {
			dst = appendRepaired(dst, b[:n])
		} else {
			dst = append(dst, b[:n]...)
		}
		if n == len(b) {
			return append(dst, '"')
		}
		dst = appendRune(dst, rune(b[n]))
		b = b[n+1:]
	}
}

// plainPrefix is the number of bytes that b begins with that stand for
// themselves in a string, and whether some of them are not ASCII.
func plainPrefix(b []byte) (n int, high bool) {
	var all uint64
	for ; n+8 <= len(b); n += 8 {
		x := binary.LittleEndian.Uint64(b[n:])
		if m := stops(x); m != 0 {
			all |= x & below(m)
			return n + first(m), all&highs != 0
		}
		all |= x
	}
	for ; n < len(b); n++ {
		c := b[n]
		if c < ' ' || c == '"' || c == '\\' {
			break
		}
		all |= uint64(c)
	}
	return n, all&highs != 0
}

// appendRepaired appends b with U+FFFD for each byte that is not valid UTF-8.
func appendRepaired(dst, b []byte) []byte {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		dst = utf8.AppendRune(dst, r)
		b = b[n:]
	}
	return dst
}
