package javascript

import (
	"bytes"
	"unicode/utf8"
)

// arguments are those of a function of Go that the interpreter calls.
type arguments struct {
	n, at uint32
	texts [2]uint32 // strings that the interpreter has lent
	lent  int
}

func (v *vm) argument(i int) value {
	if uint32(i) >= v.args.n {
		return undefined
	}
	return value(v.read64(v.read32(v.args.at + 4*uint32(i))))
}

// integer is an argument that the prelude has made a small integer. It is not ok
// where an exception is pending.
func (v *vm) integer(i int) (n int32, ok bool) {
	x := v.argument(i)
	if x.tag() != tagInt {
		v.wrong()
		return 0, false
	}
	return int32(x), true
}

// text is an argument that the prelude has made a string or a Uint8Array, as
// bytes in the interpreter's memory. A string's are UTF-8, except where it has a
// lone surrogate. It is not ok where an exception is pending.
func (v *vm) text(i int) (ptr, n uint32, ok bool) {
	x, out := v.argument(i), v.block+atOut
	switch {
	case x.isString():
		ptr = uint32(v.do(jsToCStringLen, uint64(v.context), uint64(out), uint64(x), 0))
		v.args.texts[v.args.lent] = ptr
		v.args.lent++
		ok = ptr != 0
	case x.tag() == tagObject:
		ptr = uint32(v.do(jsGetUint8Array, uint64(v.context), uint64(out), uint64(x)))
		ok = ptr != 0 || v.do(jsHasException, uint64(v.context)) == 0 // an empty array may be at 0
	default:
		v.wrong()
	}
	if !ok {
		return 0, 0, false
	}
	return ptr, v.read32(out), true
}

// freeTexts gives back what text was lent.
func (v *vm) freeTexts() {
	for _, ptr := range v.args.texts[:v.args.lent] {
		if ptr != 0 {
			v.do(jsFreeCString, uint64(v.context), uint64(ptr))
		}
	}
	v.args.lent = 0
}

// decodeText makes a string as TextDecoder does.
func (v *vm) decodeText(ptr, n uint32) value {
	const mark = "\ufeff" // of the byte order, not of the text
	if bytes.HasPrefix(v.view(ptr, n), []byte(mark)) {
		ptr, n = ptr+uint32(len(mark)), n-uint32(len(mark))
	}
	return v.newText(ptr, n)
}

// newText makes a string of bytes in the interpreter's memory, with U+FFFD where
// they are not UTF-8.
func (v *vm) newText(ptr, n uint32) value {
	b := v.view(ptr, n)
	if utf8.Valid(b) {
		return value(v.do(jsNewStringLen, uint64(v.context), uint64(ptr), uint64(n)))
	}
	return v.newString(wellFormed(b))
}

// newBytes makes a Uint8Array that is a copy of bytes in the interpreter's memory.
func (v *vm) newBytes(ptr, n uint32) value {
	return value(v.do(jsNewUint8ArrayCopy, uint64(v.context), uint64(ptr), uint64(n)))
}

// newString makes a string of UTF-8.
func (v *vm) newString(b []byte) value {
	ptr := v.put(b)
	if ptr == 0 {
		return exception
	}
	defer v.release(ptr)
	return value(v.do(jsNewStringLen, uint64(v.context), uint64(ptr), uint64(len(b))))
}

// put copies bytes and a zero into the buffer, or into room that is made for them
// and that release frees. It returns 0 where there is none: an exception is
// pending then.
func (v *vm) put(b []byte) uint32 {
	ptr := v.buffer
	if len(b) >= bufferSize {
		if ptr = v.allocate(len(b) + 1); ptr == 0 {
			v.outOfMemory()
			return 0
		}
	}
	v.write(ptr, b)
	return ptr
}

// goString is a string of the interpreter's. Anything else is an empty one.
func (v *vm) goString(x value) string {
	if !x.isString() {
		return ""
	}
	out := v.block + atOut
	ptr := v.do(jsToCStringLen, uint64(v.context), uint64(out), uint64(x), 0)
	if ptr == 0 {
		return ""
	}
	s := string(wellFormed(v.view(uint32(ptr), v.read32(out))))
	v.do(jsFreeCString, uint64(v.context), ptr)
	return s
}

// wellFormed puts U+FFFD in the place of what is not UTF-8, as TextDecoder does:
// once for each longest beginning of a character.
func wellFormed(b []byte) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+16)
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			n = beginning(b)
		}
		out = utf8.AppendRune(out, r)
		b = b[n:]
	}
	return out
}

// beginning is how many bytes of b, which does not begin with a character, could
// be the beginning of one. It is at least 1.
func beginning(b []byte) int {
	lo, hi, n := byte(0x80), byte(0xbf), 1
	switch c := b[0]; {
	case c < 0xc2 || c > 0xf4:
		return 1
	case c == 0xe0:
		lo, n = 0xa0, 2
	case c == 0xed:
		hi, n = 0x9f, 2
	case c == 0xf0:
		lo, n = 0x90, 3
	case c == 0xf4:
		hi, n = 0x8f, 3
	case c >= 0xf0:
		n = 3
	case c >= 0xe0:
		n = 2
	}
	for i := 1; i <= n; i++ {
		if i >= len(b) || b[i] < lo || b[i] > hi {
			return i
		}
		lo, hi = 0x80, 0xbf
	}
	return n
}
