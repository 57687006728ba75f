// Package image gives a program's instances memory that can be put back. An
// Image is the memory that initialisation left; a Memory starts as it, is
// written to by one event after the other, and is rewound to it in between. What
// rewinding costs depends on what was written and not on how large memory is:
// on Linux the kernel is asked which pages were. The package imports nothing
// else of this project.
package image

import "fmt"

// Method is a way to put memory back.
type Method uint8

// The methods, the best first. All have the same effect.
const (
	// Scan asks the kernel for the pages written to by PAGEMAP_SCAN (Linux 6.7
	// and later) and copies those back.
	Scan Method = iota + 1
	// Pagemap finds them in /proc/self/pagemap.
	Pagemap
	// Discard drops all private pages, so that those of the image show again.
	Discard
	// Copy copies the whole image. It is the one method on other systems.
	Copy
)

// String returns scan, pagemap, discard or copy.
func (m Method) String() string { return [...]string{"scan", "pagemap", "discard", "copy"}[m-1] }

// Best is the first method that works on this system.
func Best() Method {
	for _, m := range []Method{Scan, Pagemap, Discard} {
		if works(m) {
			return m
		}
	}
	return Copy
}

// Image is the bytes that memories are rewound to. It is safe for concurrent
// use; its memories are not, each belongs to one instance.
type Image struct {
	method Method
	bytes  []byte // never written to
	file   file   // the same bytes, for mapping; not of Copy
}

// New copies the memory of an instance that has just been initialised, a whole
// number of WebAssembly pages. Method Copy works everywhere, the others where
// Best may return them.
func New(initial []byte, method Method) (*Image, error) {
	im := &Image{method: method}
	if method == Copy {
		im.bytes = append([]byte(nil), initial...)
		return im, nil
	}
	var err error
	if im.file, im.bytes, err = mapImage(initial); err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	return im, nil
}

// Size is the image's length in bytes.
func (im *Image) Size() uint64 { return uint64(len(im.bytes)) }

// Close frees the image. Its memories must be freed first.
func (im *Image) Close() error {
	if im.method == Copy {
		return nil
	}
	return im.file.close(im.bytes)
}

// store is where a memory's bytes are, by method.
type store interface {
	// resize returns the first size bytes, nil if there cannot be so many.
	resize(size uint64) []byte
	// adopt makes the bytes the image's, whatever they were.
	adopt() error
	// rewind puts back the image and zeroes behind it, where size bytes have
	// been in use.
	rewind(size uint64) error
	free()
}
