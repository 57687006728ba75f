package image

import (
	"context"
	"errors"

	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// Memory is the linear memory of one instance. It implements wazero's
// LinearMemory.
type Memory struct {
	store  store
	used   uint64 // the most bytes since the last rewind
	shrink uint64 // not 0: what Reallocate answers instead
}

// NewMemory reserves a memory of at most max bytes for an instance that is to be
// made: it is zero until Adopt makes it the image's.
func (im *Image) NewMemory(max uint64) (*Memory, error) {
	if im.method == Copy {
		return &Memory{store: &heap{image: im.bytes, max: max}}, nil
	}
	s, err := im.reserve(max)
	if err != nil {
		return nil, err
	}
	return &Memory{store: s}, nil
}

// WithMemory returns a context that makes wazero put the next instance's memory
// where m, which open makes, says. If that fails the instance gets none, for
// want of which wazero panics: the caller recovers, and has the error.
func WithMemory(ctx context.Context, open func(max uint64) (*Memory, error)) context.Context {
	return experimental.WithMemoryAllocator(ctx, experimental.MemoryAllocatorFunc(func(_, max uint64) experimental.LinearMemory {
		m, err := open(max)
		if err != nil {
			return nothing{}
		}
		return m
	}))
}

// nothing is a memory that cannot be had.
type nothing struct{}

func (nothing) Reallocate(uint64) []byte { return nil }
func (nothing) Free()                    {}

// Reallocate implements wazero's LinearMemory.
func (m *Memory) Reallocate(size uint64) []byte {
	if m.shrink != 0 {
		size = m.shrink
	}
	b := m.store.resize(size)
	if b != nil {
		m.used = max(m.used, size)
	}
	return b
}

// Free implements wazero's LinearMemory. The instance must not run any more.
func (m *Memory) Free() { m.store.free() }

// errFull says that a memory is at its maximum.
var errFull = errors.New("image: a memory that has grown to its maximum cannot shrink")

// Adopt makes the memory the image's for the first time, after the instance was
// made in it. Rewind puts it back after an event. mem is wazero's view of the
// memory; it fails if that has grown to its maximum, and the instance is then to
// be thrown away.
func (m *Memory) Adopt(im *Image, mem api.Memory) error {
	if err := m.shrinkTo(im, mem); err != nil {
		return err
	}
	m.used = im.Size()
	return m.store.adopt()
}

// Rewind puts the memory back to the image. See Adopt.
func (m *Memory) Rewind(im *Image, mem api.Memory) error {
	if err := m.shrinkTo(im, mem); err != nil {
		return err
	}
	used := m.used
	m.used = im.Size()
	return m.store.rewind(used)
}

// shrinkTo makes a memory that has grown as large as the image again. wazero
// only grows memory, and takes for its new bytes what Reallocate gives: asked
// for one page more it gives as many as the image has.
func (m *Memory) shrinkTo(im *Image, mem api.Memory) error {
	if uint64(mem.Size()) == im.Size() {
		return nil
	}
	m.shrink = im.Size()
	defer func() { m.shrink = 0 }()
	if _, ok := mem.Grow(1); !ok || uint64(mem.Size()) != im.Size() {
		return errFull
	}
	return nil
}
