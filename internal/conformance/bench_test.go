package conformance

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// BenchmarkEndToEnd is the whole path: a send of 1, 10 or 100 messages, the
// lease of them as one batch, a fresh instance of the C sample guest that reads
// and acks them, and the settling.
func BenchmarkEndToEnd(b *testing.B) {
	backends := []struct {
		name string
		open func() (adapter.Adapter, error)
	}{
		{"memory", func() (adapter.Adapter, error) { return memory.Open(), nil }},
		{"sqlite", func() (adapter.Adapter, error) {
			return sqlite.Open(context.Background(), "sqlite:"+filepath.Join(b.TempDir(), "q.db")+"?synchronous=normal")
		}},
	}
	wasm, err := os.ReadFile("../../testdata/guests/page-c.wasm")
	if err != nil {
		b.Fatal(err)
	}
	for _, backend := range backends {
		for _, size := range []int{1, 10, 100} {
			b.Run(fmt.Sprintf("%s/%d", backend.name, size), func(b *testing.B) {
				store, err := backend.open()
				if err != nil {
					b.Fatal(err)
				}
				defer store.Close()
				program, err := guest.Load(b.Context(), wasm, guest.Config{})
				if err != nil {
					b.Fatal(err)
				}
				defer program.Close(b.Context())
				endToEnd(b, store, program, size)
			})
		}
	}
}

func endToEnd(b *testing.B, store adapter.Adapter, program *guest.Program, size int) {
	ctx, stop := context.WithCancel(b.Context())
	stopped := make(chan error, 1)
	done := make(chan int, 64)
	go func() {
		stopped <- consumer.Run(ctx, consumer.Config{
			Adapter: store, Queue: queue, MaxBatchSize: size, MaxBatchTimeout: new(time.Duration(0)),
			Log: slog.New(slog.DiscardHandler),
			Handler: func(ctx context.Context, batch *batch.Batch) error {
				return program.Run(ctx, &hostfn.Event{Kind: hostfn.KindQueue, Batch: batch})
			},
			Observe: func(e consumer.Event) {
				if e.Kind == consumer.Ended {
					if e.Err != nil || e.Acked != e.Messages {
						b.Errorf("event: %+v", e)
					}
					done <- e.Messages
				}
			},
		})
	}()
	msgs := make([]adapter.Message, size)
	for i := range msgs {
		msgs[i].Body = []byte(`{"kind":"page","url":"/release/2026/11/notes","version":"v8","refresh":true,"trace":"4bf92f3577b34da6a3ce929d0e0e4736"}`)
	}
	const ahead = 32 // batches that are sent and not settled
	sent, settled := 0, 0
	for b.Loop() {
		for sent-settled >= ahead*size {
			settled += <-done
		}
		if err := store.Send(ctx, queue, msgs...); err != nil {
			b.Fatal(err)
		}
		sent += size
	}
	for settled < sent {
		settled += <-done
	}
	b.ReportMetric(float64(sent)/b.Elapsed().Seconds(), "msg/s")
	stop()
	if err := <-stopped; err != nil {
		b.Fatal(err)
	}
}
