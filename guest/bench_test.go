package guest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// BenchmarkEvent is one light event: an instance, an entry that reads a batch of
// no messages, and the instance's end.
func BenchmarkEvent(b *testing.B) { benchmarkBatch(b, nil) }

// BenchmarkBatch is one event with a batch of ten messages, each rendered and
// acked.
func BenchmarkBatch(b *testing.B) {
	body := []byte(`{"kind":"page","url":"/release/x","version":"v8","refresh":true}`)
	var ds []adapter.Delivery
	for range 10 {
		ds = append(ds, adapter.Delivery{ID: strings.Repeat("a", 32), Attempts: 1, Body: body})
	}
	benchmarkBatch(b, ds)
}

func benchmarkBatch(b *testing.B, ds []adapter.Delivery) {
	for _, language := range []string{"wat", "c", "as", "rust", "zig", "go"} {
		for _, reuse := range []guest.Reuse{guest.New, guest.Rewind} {
			b.Run(fmt.Sprintf("%s/%s", language, reuse), func(b *testing.B) {
				p, err := guest.Load(b.Context(), module(b, "page-"+language), guest.Config{Instance: reuse})
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close(b.Context())
				ctx := context.Background() // a test's own ends, which costs looking at it
				messages := batch.New("q", ds)
				run := func() {
					if err := p.Run(ctx, &hostfn.Event{Kind: hostfn.KindQueue, Batch: messages}); err != nil {
						b.Fatal(err)
					}
				}
				run() // the first makes the instance that the others rewind
				b.ReportAllocs()
				for b.Loop() {
					run()
				}
			})
		}
	}
}
