package javascript

import (
	"bytes"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// What the engine asks of the world when it starts makes no difference that a
// script could see: the clock is the seed of Math.random, which the prelude
// replaces, and of what orders hash tables inside.
func TestBootIsTheSameAtAnyTime(t *testing.T) {
	t.Parallel()
	var memories [2][]byte
	for i, now := range []int64{1, 1_700_000_000} {
		memories[i] = booted(t, now)
	}
	if len(memories[0]) != len(memories[1]) {
		t.Fatalf("%d and %d bytes", len(memories[0]), len(memories[1]))
	}
	var runs [][2]int // of bytes that differ, the first and the last
	for at := range memories[0] {
		if memories[0][at] == memories[1][at] {
			continue
		}
		if n := len(runs); n > 0 && at-runs[n-1][1] < 8 {
			runs[n-1][1] = at
			continue
		}
		runs = append(runs, [2]int{at, at})
	}
	// random_state, and hash_seed behind it.
	if len(runs) != 1 || runs[0][1]-runs[0][0] >= 12 {
		t.Errorf("bytes that differ: %v", runs)
	}
}

// booted is the memory of an instance that evaluated a script at that time.
func booted(t *testing.T, now int64) []byte {
	t.Helper()
	ctx := t.Context()
	r := wazero.NewRuntime(ctx)
	t.Cleanup(func() { r.Close(ctx) })
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		t.Fatal(err)
	}
	if err := hostfn.Instantiate(ctx, r); err != nil {
		t.Fatal(err)
	}
	e, err := newEngine([]byte("const list = [1], map = {a: list}; export const queue = () => map"), "app.js", guest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Offer(ctx, r); err != nil {
		t.Fatal(err)
	}
	c, err := r.CompileModule(ctx, quickjs)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Unix(now, 0)
	var m api.Module
	m, err = r.InstantiateModule(ctx, c, wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize").
		WithWalltime(func() (int64, int32) { return at.Unix(), 0 }, 1).
		WithNanotime(func() int64 { return at.UnixNano() }, 1))
	if err != nil {
		t.Fatal(err)
	}
	v := e.Attach(m).(*vm)
	if err := v.Boot(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Evaluate(ctx); err != nil {
		t.Fatal(err)
	}
	memory, _ := m.Memory().Read(0, m.Memory().Size())
	return bytes.Clone(memory)
}

// A function that runs is not called again: its frames would be written over.
func TestNoReentry(t *testing.T) {
	t.Parallel()
	v := &vm{}
	for _, running := range []bool{true, false} { // the second is not called for the first
		if v.run(&function{running: running}, []uint64{1}); v.err != errReentered {
			t.Errorf("error %v", v.err)
		}
	}
}
