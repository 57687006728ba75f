package image

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

const page = 4096

// file is a file in memory that holds an image.
type file struct{ fd int }

// mapImage puts bytes into a file in memory and maps it for reading.
func mapImage(initial []byte) (file, []byte, error) {
	fd, err := unix.MemfdCreate("wazqueue-image", unix.MFD_CLOEXEC)
	if err != nil {
		return file{}, nil, fmt.Errorf("memfd_create: %w", err)
	}
	f := file{fd}
	if err := f.write(initial); err != nil {
		unix.Close(fd)
		return file{}, nil, err
	}
	if len(initial) == 0 {
		return f, nil, nil
	}
	view, err := unix.Mmap(fd, 0, len(initial), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		unix.Close(fd)
		return file{}, nil, fmt.Errorf("mmap: %w", err)
	}
	return f, view, nil
}

// write writes all pages but those of zeros, which stay holes.
func (f file) write(b []byte) error {
	if err := unix.Ftruncate(f.fd, int64(len(b))); err != nil {
		return fmt.Errorf("ftruncate: %w", err)
	}
	var zero [page]byte
	for at := 0; at < len(b); at += page {
		if part := b[at:min(at+page, len(b))]; string(part) != string(zero[:len(part)]) {
			if _, err := unix.Pwrite(f.fd, part, int64(at)); err != nil {
				return fmt.Errorf("pwrite: %w", err)
			}
		}
	}
	return nil
}

func (f file) close(view []byte) error {
	if view != nil {
		_ = unix.Munmap(view)
	}
	return unix.Close(f.fd)
}

// mapping is a memory whose front is a private mapping of the image's file, so
// that pages are the image's until they are written to.
type mapping struct {
	image *Image
	bytes []byte // the whole reservation
	pages *pagemap
}

// reserve reserves address space; memory is used as it is written to.
func (im *Image) reserve(max uint64) (store, error) {
	m := &mapping{image: im}
	var err error
	if im.method != Discard {
		if m.pages, err = openPagemap(); err != nil {
			return nil, err
		}
	}
	if max == 0 {
		return m, nil
	}
	m.bytes, err = unix.Mmap(-1, 0, int(max), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
	if err != nil {
		return nil, fmt.Errorf("image: reserve %d bytes: %w", max, err)
	}
	return m, nil
}

func (m *mapping) resize(size uint64) []byte {
	if size > uint64(len(m.bytes)) {
		return nil
	}
	return m.bytes[:size:size]
}

func (m *mapping) adopt() error {
	if len(m.bytes) == 0 {
		return nil
	}
	if err := unix.Madvise(m.bytes, unix.MADV_DONTNEED); err != nil {
		return fmt.Errorf("image: madvise: %w", err)
	}
	if len(m.image.bytes) == 0 {
		return nil
	}
	at := unsafe.Pointer(unsafe.SliceData(m.bytes))
	_, err := unix.MmapPtr(m.image.file.fd, 0, at, uintptr(len(m.image.bytes)), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_FIXED)
	if err != nil {
		return fmt.Errorf("image: mmap: %w", err)
	}
	return nil
}

func (m *mapping) rewind(size uint64) error {
	n := uint64(len(m.image.bytes))
	if size > n {
		if err := unix.Madvise(m.bytes[n:size], unix.MADV_DONTNEED); err != nil {
			return fmt.Errorf("image: madvise: %w", err)
		}
	}
	if n == 0 {
		return nil
	}
	front := m.bytes[:n]
	if m.image.method == Discard {
		return discard(front)
	}
	return m.pages.rewind(front, m.image)
}

// discard drops the private copies of pages, so that the image's show again.
func discard(b []byte) error {
	if err := unix.Madvise(b, unix.MADV_DONTNEED); err != nil {
		return fmt.Errorf("image: madvise: %w", err)
	}
	return nil
}

func (m *mapping) free() {
	if len(m.bytes) > 0 {
		_ = unix.Munmap(m.bytes)
		m.bytes = nil
	}
}
