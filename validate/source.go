package validate

import (
	"encoding/binary"
	"slices"
	"unsafe"
)

// source is a private copy of a text, followed by pad zero bytes, that is read
// without bounds checks. This file is the only one of the package that uses
// unsafe.
//
// Why the reads are safe. A zero byte belongs to no JSON token. A walk steps
// over a byte only after it has seen what it is, so it never gets past the
// first zero of the padding: every position it holds is at most size. From
// such a position it reads at most eight bytes: word's eight and half's four,
// the byte behind an f and three, the four digits behind a \u that was seen to
// be there. All of that is inside the padding. The copy is the walk's own, so
// nobody shortens it or writes to it meanwhile, as a guest could do with its
// memory.
type source []byte

const pad = 8

// fill makes the source of a text in s's memory, or in more if it is short.
func (s source) fill(text []byte) source {
	size := len(text)
	s = slices.Grow(s[:0], size+pad)[:size+pad]
	copy(s, text)
	binary.LittleEndian.PutUint64(s[size:], 0)
	return s
}

// size is the length of the text without the padding.
func (s source) size() int { return len(s) - pad }

// at is the byte at i, zero where the text ends.
func (s source) at(i int) byte { return *(*byte)(s.pointer(i)) }

// word is the eight bytes from i on, the first one in the lowest place.
func (s source) word(i int) uint64 {
	return binary.LittleEndian.Uint64((*[8]byte)(s.pointer(i))[:])
}

// half is the four bytes from i on, the first one in the lowest place.
func (s source) half(i int) uint32 {
	return binary.LittleEndian.Uint32((*[4]byte)(s.pointer(i))[:])
}

func (s source) pointer(i int) unsafe.Pointer {
	return unsafe.Add(unsafe.Pointer(unsafe.SliceData(s)), i)
}

// stringOf is b as a string in the same memory, for a callee that does not keep
// it.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// bytesOf is s as bytes in the same memory: nobody may write to them.
func bytesOf(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
