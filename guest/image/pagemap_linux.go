package image

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	// many is the number of written pages above which it is asked whether to go
	// on copying them back.
	many = 100
	// patience is how many rewinds the answer holds for.
	patience = 64
)

// pagemap finds the pages of a private mapping that were written to.
type pagemap struct {
	file    *os.File // the process's, shared
	fd      uintptr
	regions []region // room for Scan's answers
	entries []byte   // room for Pagemap's

	dropped bool // all pages were dropped before the last event
	copies  int  // rewinds until that may be done again
}

// self is the kernel's description of this process's pages, opened once.
var self = sync.OnceValues(func() (*os.File, error) { return os.Open("/proc/self/pagemap") })

func openPagemap() (*pagemap, error) {
	f, err := self()
	if err != nil {
		return nil, fmt.Errorf("image: %w", err)
	}
	return &pagemap{file: f, fd: f.Fd()}, nil
}

// rewind copies back the pages of b that were written to. They stay private and
// count again the next time, which spares the next event the faults; but one
// large event would make all later ones pay for its pages. So when they are
// many, all are dropped now and then: if the next event writes to as many
// again, copying is what it costs least.
func (p *pagemap) rewind(b []byte, im *Image) error {
	dirty := 0
	mayDrop := p.copies == 0 && !p.dropped
	restore := func(from, to int) {
		dirty += (to - from) / page
		if dirty <= many || !mayDrop {
			copy(b[from:to], im.bytes[from:to])
		}
	}
	var err error
	if im.method == Scan {
		err = p.scan(b, restore)
	} else {
		err = p.read(b, restore)
	}
	switch {
	case err != nil, dirty > many && mayDrop:
		p.dropped = true
		return discard(b) // needs no knowledge, and is right after a failure too
	case dirty > many && p.dropped:
		p.copies = patience
	case p.copies > 0:
		p.copies--
	}
	p.dropped = false
	return nil
}

// region and scanArgument are the kernel's struct page_region and struct
// pm_scan_arg (linux/fs.h).
type region struct{ start, end, categories uint64 }

type scanArgument struct {
	size, flags, start, end, walkEnd, vec, vecLen, maxPages     uint64
	categoryInverted, categoryMask, categoryAnyOf, returnedMask uint64
}

const (
	pagemapScan = 0xc0606610 // _IOWR('f', 16, struct pm_scan_arg)

	isFile    = 1 << 2
	isPresent = 1 << 3
	isSwapped = 1 << 4
)

// scan calls f for each range of pages that are there and not the file's.
func (p *pagemap) scan(b []byte, f func(from, to int)) error {
	if p.regions == nil {
		p.regions = make([]region, 128)
	}
	base := uint64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	arg := scanArgument{
		start: base, end: base + uint64(len(b)),
		vec: uint64(uintptr(unsafe.Pointer(unsafe.SliceData(p.regions)))), vecLen: uint64(len(p.regions)),
		categoryInverted: isFile, categoryMask: isFile, categoryAnyOf: isPresent | isSwapped, returnedMask: isPresent,
	}
	arg.size = uint64(unsafe.Sizeof(arg))
	for arg.start < arg.end {
		n, _, errno := unix.Syscall(unix.SYS_IOCTL, p.fd, pagemapScan, uintptr(unsafe.Pointer(&arg)))
		if errno != 0 {
			return errno
		}
		for _, r := range p.regions[:n] {
			f(int(r.start-base), int(r.end-base))
		}
		arg.start = arg.walkEnd
	}
	return nil
}

// The bits of an entry of /proc/self/pagemap (admin-guide/mm/pagemap.rst).
const (
	entryFile    = 1 << 61
	entrySwapped = 1 << 62
	entryPresent = 1 << 63
)

// read does what scan does, a page at a time.
func (p *pagemap) read(b []byte, f func(from, to int)) error {
	pages := len(b) / page
	if p.entries == nil {
		p.entries = make([]byte, 8*pages)
	}
	base := int64(uintptr(unsafe.Pointer(unsafe.SliceData(b))))
	if _, err := p.file.ReadAt(p.entries[:8*pages], base/page*8); err != nil {
		return err
	}
	for i := range pages {
		e := binary.NativeEndian.Uint64(p.entries[8*i:])
		if e&(entryPresent|entrySwapped) != 0 && e&entryFile == 0 {
			f(i*page, (i+1)*page)
		}
	}
	return nil
}

// works tries a method on a page.
func works(method Method) bool {
	if os.Getpagesize() != page {
		return false // the granularity of all of this
	}
	initial := make([]byte, 2*page)
	initial[0] = 1
	im, err := New(initial, method)
	if err != nil {
		return false
	}
	defer im.Close()
	s, err := im.reserve(uint64(3 * page))
	if err != nil {
		return false
	}
	defer s.free()
	m := s.(*mapping)
	if m.adopt() != nil {
		return false
	}
	m.bytes[0], m.bytes[2*page] = 2, 2
	found := 0
	count := func(from, to int) { found += to - from }
	switch method {
	case Scan:
		err = m.pages.scan(m.bytes[:2*page], count)
	case Pagemap:
		err = m.pages.read(m.bytes[:2*page], count)
	default:
		found = page
	}
	return err == nil && found == page && m.rewind(3*page) == nil && m.bytes[0] == 1 && m.bytes[2*page] == 0
}
