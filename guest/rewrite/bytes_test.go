package rewrite_test

import "slices"

// Binaries by hand.

const header = "\x00asm\x01\x00\x00\x00"

func uleb(v int) (b []byte) {
	for ; v >= 0x80; v >>= 7 {
		b = append(b, byte(v)|0x80)
	}
	return append(b, byte(v))
}

func join(parts ...[]byte) []byte { return slices.Concat(parts...) }

func sized(b ...byte) []byte { return join(uleb(len(b)), b) }

func named(s string) []byte { return sized([]byte(s)...) }

func section(id byte, content ...byte) []byte { return join([]byte{id}, sized(content...)) }

// vector is a section of items.
func vector(id byte, items ...[]byte) []byte {
	return section(id, join(uleb(len(items)), join(items...))...)
}

func custom(name string, content ...byte) []byte { return section(0, join(named(name), content)...) }

func module(sections ...[]byte) []byte { return join([]byte(header), join(sections...)) }

// body is a function without locals.
func body(code ...byte) []byte { return sized(join([]byte{0}, code, []byte{0x0b})...) }

// function is a module of one function () -> () with a local, a table, a memory, a
// mutable global, and a segment of each kind.
func function(code ...byte) []byte {
	return module(
		vector(1, []byte{0x60, 0, 0}),
		vector(3, []byte{0}),
		vector(4, []byte{0x70, 0, 1}),
		vector(5, []byte{0, 1}),
		vector(6, []byte{0x7f, 1, 0x41, 0, 0x0b}),
		vector(9, []byte{3, 0, 1, 0}),
		section(12, 1),
		vector(10, sized(join([]byte{1, 1, 0x7f}, code, []byte{0x0b})...)),
		vector(11, []byte{1, 0}),
	)
}
