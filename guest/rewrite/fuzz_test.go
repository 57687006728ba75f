package rewrite_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// P(any bytes): Parse does not panic. P(a module that wazero compiles and Parse
// takes): wazero compiles what becomes of it, and Parse takes that too.
func FuzzParse(f *testing.F) {
	for name, wasm := range guests(f) {
		if len(wasm) > 1<<16 {
			wasm = wasm[:1<<16]
		}
		f.Add(wasm)
		f.Add(wasm[:len(wasm)*2/3])
		if name == "page-c" || name == "page-wat" {
			for i := 8; i < len(wasm); i += len(wasm) / 20 {
				flipped := append([]byte(nil), wasm...)
				flipped[i] ^= 4
				f.Add(flipped)
			}
		}
	}
	f.Add(programs)
	f.Add(endless)
	f.Add(function(0x00, 0xfc, 8, 0, 0, 0xfd, 0x0d, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
	f.Fuzz(func(t *testing.T, wasm []byte) {
		checkSame(t, newRuntime(t, engines["interpreter"]()), wasm)
	})
}

// P(random module): counting changes neither results nor globals nor memory.
func FuzzCounting(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed, uint16(seed*seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, period uint16) {
		r := newRuntime(t, engines["compiler"]())
		provideHost(t, r)
		wasm := (&generator{Rand: rand.New(rand.NewPCG(seed, 2))}).module()
		globals, layout := rewritten(t, wasm, rewrite.Options{Globals: true})
		want := results(t, r, globals, layout, seed)
		out, layout := rewritten(t, wasm, rewrite.Options{Globals: true, Fuel: true, Period: int32(period)})
		if diff := cmp.Diff(want, results(t, r, out, layout, seed)); diff != "" {
			t.Fatalf("%s\n%x", diff, wasm)
		}
	})
}
