package bridge_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

const page = 65536

// guest is a module with one page of memory, all of it '?'.
func guest(t testing.TB) api.Module {
	t.Helper()
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { r.Close(ctx) })
	// (module (memory (export "memory") 1))
	m, err := r.Instantiate(ctx, []byte("\x00asm\x01\x00\x00\x00\x05\x03\x01\x00\x01\x07\x0a\x01\x06memory\x02\x00"))
	if err != nil {
		t.Fatal(err)
	}
	wipe(m)
	return m
}

func wipe(m api.Module) {
	all, _ := m.Memory().Read(0, page)
	for i := range all {
		all[i] = '?'
	}
}

// inside is the oracle: whether a range lies in memory, in numbers that cannot
// wrap. Empty ranges may point anywhere.
func inside(ptr, n uint32) bool { return n == 0 || uint64(ptr)+uint64(n) <= page }

func FuzzView(f *testing.F) {
	for _, ptr := range []uint32{0, 1, page - 1, page, page + 1, math.MaxInt32, math.MaxUint32} {
		for _, n := range []uint32{0, 1, page - 1, page, page + 1, math.MaxInt32, math.MaxUint32} {
			f.Add(ptr, n)
		}
	}
	m := guest(f)
	f.Fuzz(func(t *testing.T, ptr, n uint32) {
		view, err := bridge.View(m, ptr, n)
		if !inside(ptr, n) {
			if !errors.Is(err, bridge.ErrRange) || view != nil {
				t.Fatalf("View(%d, %d) = %d bytes, %v", ptr, n, len(view), err)
			}
			return
		}
		if err != nil || len(view) != int(n) || bytes.Count(view, []byte{'?'}) != int(n) {
			t.Fatalf("View(%d, %d) = %d bytes, %v", ptr, n, len(view), err)
		}
	})
}

// A value is written whole or not at all, and never beyond the guest's buffer.
func FuzzPut(f *testing.F) {
	for _, ptr := range []uint32{0, page - 5, page - 4, page, math.MaxUint32} {
		for _, limit := range []uint32{0, 3, 4, 5, math.MaxUint32} {
			f.Add(ptr, limit, []byte("four"))
		}
	}
	m := guest(f)
	f.Fuzz(func(t *testing.T, ptr, limit uint32, value []byte) {
		wipe(m)
		buf, err := bridge.Offer(m, ptr, limit)
		if !inside(ptr, limit) {
			if !errors.Is(err, bridge.ErrRange) {
				t.Fatalf("Offer(%d, %d): %v", ptr, limit, err)
			}
			return
		}
		if err != nil {
			t.Fatalf("Offer(%d, %d): %v", ptr, limit, err)
		}
		if n := bridge.Put(buf, value); n != int32(len(value)) {
			t.Fatalf("Put = %d of %d bytes", n, len(value))
		}
		want := bytes.Repeat([]byte{'?'}, page)
		if len(value) <= int(limit) && len(value) > 0 {
			copy(want[ptr:], value)
		}
		if got, _ := m.Memory().Read(0, page); !bytes.Equal(got, want) {
			t.Fatalf("Put at %d with limit %d wrote what it must not", ptr, limit)
		}
	})
}

func TestModuleWithoutMemory(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	m, err := r.Instantiate(ctx, []byte("\x00asm\x01\x00\x00\x00"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := bridge.View(m, 0, 1); !errors.Is(err, bridge.ErrRange) {
		t.Errorf("View: %v", err)
	}
	if _, err := bridge.Offer(m, 0, 1); !errors.Is(err, bridge.ErrRange) {
		t.Errorf("Offer: %v", err)
	}
	if buf, err := bridge.Offer(m, 0, 0); err != nil || bridge.Put(buf, "x") != 1 {
		t.Errorf("asking for the length: %v", err)
	}
}
