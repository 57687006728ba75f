package image

import "slices"

// heap keeps a memory's bytes in Go's memory: the store of Copy.
type heap struct {
	image []byte
	max   uint64
	bytes []byte
}

func (h *heap) resize(size uint64) []byte {
	if size > h.max {
		return nil
	}
	if size > uint64(cap(h.bytes)) {
		h.bytes = slices.Grow(h.bytes, int(size)-len(h.bytes))
	}
	if size > uint64(len(h.bytes)) {
		h.bytes = h.bytes[:size] // what lies there was zeroed by rewind, or is new
	}
	return h.bytes[:size:size]
}

func (h *heap) adopt() error { return h.rewind(uint64(len(h.bytes))) }

func (h *heap) rewind(size uint64) error {
	clear(h.bytes[copy(h.bytes, h.image):size])
	return nil
}

func (h *heap) free() { h.bytes = nil }
