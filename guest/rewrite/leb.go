package rewrite

import (
	"fmt"
	"unicode/utf8"
)

// span is a range of the module's bytes.
type span struct{ at, end int }

// reader reads bytes of a module from one offset up to another. Its first
// failure sticks: from then on nothing is left to read and every value is zero,
// so a loop over a count ends, and only its caller looks at err.
type reader struct {
	b       []byte
	at, end int
	err     error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("offset %#x: %s", r.at, fmt.Sprintf(format, args...))
	}
	r.at = r.end
}

func (r *reader) done() error {
	if r.err == nil && r.at != r.end {
		r.fail("%d bytes too many", r.end-r.at)
	}
	return r.err
}

func (r *reader) byte() byte {
	if r.at >= r.end {
		r.fail("unexpected end")
		return 0
	}
	r.at++
	return r.b[r.at-1]
}

func (r *reader) skip(n int) {
	if n > r.end-r.at {
		r.fail("unexpected end")
		return
	}
	r.at += n
}

// u32 reads an unsigned integer: at most five bytes, of which the last has no
// bit above the 32nd. (Core spec 2.0, 5.2.2.)
func (r *reader) u32() uint32 {
	if r.at < r.end && r.b[r.at] < 0x80 {
		r.at++
		return uint32(r.b[r.at-1])
	}
	var v uint32
	for shift := 0; shift < 35; shift += 7 {
		c := r.byte()
		if shift == 28 && c > 0x0f {
			break
		}
		v |= uint32(c&0x7f) << shift
		if c < 0x80 {
			return v
		}
	}
	r.fail("an integer of more than 32 bits")
	return 0
}

// signed reads a signed integer of so many bits: no more bytes than they need,
// of which the last repeats the sign in the bits it does not need.
func (r *reader) signed(bits int) int64 {
	var v int64
	for shift := 0; shift < bits; shift += 7 {
		c := r.byte()
		v |= int64(c&0x7f) << shift
		if used := bits - shift; used < 7 {
			if unused := byte(0x7f) << (used - 1) & 0x7f; c > 0x7f || c&unused != 0 && c&unused != unused {
				break
			}
		}
		if c < 0x80 {
			unset := max(0, 64-shift-7)
			return v << unset >> unset
		}
	}
	r.fail("an integer of more than %d bits", bits)
	return 0
}

// count reads how many items follow. Each has at least size bytes, so that a
// count is never beyond what the module holds.
func (r *reader) count(size int) int {
	n := r.u32()
	if int64(n)*int64(size) > int64(r.end-r.at) {
		r.fail("%d items do not fit", n)
		return 0
	}
	return int(n)
}

// name reads a name. (Core spec 2.0, 5.2.4.)
func (r *reader) name() string {
	n := r.count(1)
	s := r.b[r.at : r.at+n]
	r.at += n
	if !utf8.Valid(s) {
		r.fail("a name that is not UTF-8")
		return ""
	}
	return string(s)
}

// index reads an index and says where it stands.
func (r *reader) index() span {
	at := r.at
	r.u32()
	return span{at, r.at}
}

func appendU32(b []byte, v uint32) []byte {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

func appendS32(b []byte, v int32) []byte {
	for ; v < -0x40 || v >= 0x40; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v)&0x7f)
}

func appendName(b []byte, s string) []byte {
	return append(appendU32(b, uint32(len(s))), s...)
}
