// Package bridge carries values over the line between host and guest: bytes in
// and out of guest memory, JSON values with the depth and token rules that
// hold on both sides, and the two ways a host function can fail. It imports
// validate and nothing else of this project.
package bridge

import (
	"reflect"

	"github.com/tetratelabs/wazero/api"
)

// View returns the n bytes of guest memory at ptr, or ErrRange where the range
// leaves it. The bytes are the guest's own: they are valid until the guest
// runs on or its memory grows, and whoever keeps them copies them first. An
// empty range is fine wherever it points, since languages give empty slices
// any pointer.
func View(mod api.Module, ptr, n uint32) ([]byte, error) {
	if n == 0 {
		return nil, nil
	}
	mem := mod.Memory()
	if reflect.ValueOf(mem).IsNil() { // of a module without memory: a nil pointer in the interface
		return nil, ErrRange
	}
	view, ok := mem.Read(ptr, n)
	if !ok {
		return nil, ErrRange
	}
	return view, nil
}

// Buffer is memory that a guest offers for a value to be written to.
type Buffer struct{ view []byte }

// Offer checks the guest's buffer at ptr of limit bytes, ErrRange where it
// leaves guest memory.
func Offer(mod api.Module, ptr, limit uint32) (Buffer, error) {
	view, err := View(mod, ptr, limit)
	return Buffer{view}, err
}

// Put returns the length of value in bytes, having written it to the buffer if
// and only if it fits. A guest that offered too little calls again.
func Put[T string | []byte](b Buffer, value T) int32 {
	if len(value) <= len(b.view) {
		copy(b.view, value)
	}
	return int32(len(value))
}
