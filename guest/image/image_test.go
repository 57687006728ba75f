package image_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/image"
)

const wasmPage = 65536

// methods are those that this system has; Linux must have the best of them for
// the others to be tested at all.
func methods(t testing.TB) []image.Method {
	t.Helper()
	best := image.Best()
	if runtime.GOOS == "linux" && best == image.Copy {
		t.Fatal("no method of Linux works here")
	}
	var ms []image.Method
	for m := best; m <= image.Copy; m++ {
		ms = append(ms, m)
	}
	return ms
}

// instance makes a module with a memory of 2 to 20 pages, whose first page has
// data, in a memory of image's.
func instance(t testing.TB, im *image.Image) (api.Module, *image.Memory) {
	t.Helper()
	// (module (memory (export "memory") 2 20) (data (i32.const 100) "data"))
	wasm := []byte("\x00asm\x01\x00\x00\x00\x05\x04\x01\x01\x02\x14\x07\x0a\x01\x06memory\x02\x00\x0b\x0b\x01\x00\x41\xe4\x00\x0b\x04data")
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { r.Close(ctx) })
	var m *image.Memory
	ctx = image.WithMemory(ctx, func(max uint64) (_ *image.Memory, err error) {
		m, err = im.NewMemory(max)
		return m, err
	})
	module, err := r.Instantiate(ctx, wasm)
	if err != nil {
		t.Fatal(err)
	}
	return module, m
}

func initial() []byte {
	b := make([]byte, 3*wasmPage)
	copy(b[100:], "data")
	copy(b[wasmPage+5000:], "what initialisation wrote")
	copy(b[3*wasmPage-3:], "end")
	return b
}

// Whatever an event writes, and however far memory grows, a rewind gives the
// image, byte by byte, and zeros to who grows it again.
func TestRewind(t *testing.T) {
	t.Parallel()
	for _, method := range methods(t) {
		t.Run(method.String(), func(t *testing.T) {
			t.Parallel()
			want := initial()
			im, err := image.New(want, method)
			if err != nil {
				t.Fatal(err)
			}
			defer im.Close()
			module, m := instance(t, im)
			mem := module.Memory()
			if err := m.Adopt(im, mem); err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, uint64(method)))
			for round := range 300 {
				got, ok := mem.Read(0, mem.Size())
				if !ok || !bytes.Equal(got, want) {
					t.Fatalf("round %d: memory of %d bytes differs from the image", round, mem.Size())
				}
				grown := uint32(random.IntN(16)) // 19 pages of 20 at most
				if _, ok := mem.Grow(grown); !ok {
					t.Fatalf("round %d: memory does not grow", round)
				}
				if fresh, _ := mem.Read(uint32(len(want)), grown*wasmPage); bytes.Count(fresh, []byte{0}) != len(fresh) {
					t.Fatalf("round %d: grown memory is not zero", round)
				}
				for range random.IntN(300) {
					mem.WriteByte(uint32(random.IntN(int(mem.Size()))), byte(random.Int()))
				}
				if err := m.Rewind(im, mem); err != nil {
					t.Fatal(err)
				}
			}
			module.Close(t.Context())
		})
	}
}

// A memory at its maximum cannot shrink: the instance is to be thrown away.
func TestRewindAtTheMaximum(t *testing.T) {
	t.Parallel()
	for _, method := range methods(t) {
		im, err := image.New(initial(), method)
		if err != nil {
			t.Fatal(err)
		}
		defer im.Close()
		module, m := instance(t, im)
		if err := m.Adopt(im, module.Memory()); err != nil {
			t.Fatal(err)
		}
		module.Memory().Grow(17)
		if err := m.Rewind(im, module.Memory()); err == nil {
			t.Errorf("%v: it was rewound", method)
		}
	}
}

func BenchmarkRewind(b *testing.B) {
	for _, method := range methods(b) {
		b.Run(method.String(), func(b *testing.B) {
			im, err := image.New(bytes.Repeat(initial(), 16), method) // 3 MiB
			if err != nil {
				b.Fatal(err)
			}
			defer im.Close()
			m, err := im.NewMemory(64 << 20)
			if err != nil {
				b.Fatal(err)
			}
			defer m.Free()
			buf := m.Reallocate(im.Size())
			mem := sized(im.Size())
			if err := m.Adopt(im, mem); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				for i := range 8 { // a light event
					buf[i*9*4096] = 1
				}
				if err := m.Rewind(im, mem); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// fixed is an api.Memory that only has a size.
type fixed struct {
	api.Memory
	size uint32
}

func (f fixed) Size() uint32 { return f.size }

func sized(n uint64) api.Memory { return fixed{size: uint32(n)} }
