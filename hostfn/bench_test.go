package hostfn_test

import (
	"context"
	"os"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/hostfn"
)

// BenchmarkSend is one send, from the call into the guest to the memory
// adapter, with a body of 226 bytes. The queue is emptied off the clock.
func BenchmarkSend(b *testing.B) {
	ctx := context.Background()
	r := wazero.NewRuntime(ctx)
	defer r.Close(ctx)
	if err := hostfn.Instantiate(ctx, r); err != nil {
		b.Fatal(err)
	}
	wasm, err := os.ReadFile("../testdata/guests/bench-send.wasm")
	if err != nil {
		b.Fatal(err)
	}
	guest, err := r.Instantiate(ctx, wasm)
	if err != nil {
		b.Fatal(err)
	}
	queue := memory.Open()
	defer queue.Close()
	ctx = hostfn.With(ctx, &hostfn.Event{
		Kind:   hostfn.KindFetch,
		Grants: hostfn.Grants{"PAGE_QUEUE": {Queue: "pages", Sender: queue}},
	})
	send := guest.ExportedFunction("send")
	stack := make([]uint64, 1)
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		if err := send.CallWithStack(ctx, stack); err != nil || stack[0] != 0 {
			b.Fatalf("send: %v, status %d", err, stack[0])
		}
		if i%10_000 == 9_999 {
			b.StopTimer()
			if _, err := queue.Purge(ctx, "pages"); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
		}
	}
}
