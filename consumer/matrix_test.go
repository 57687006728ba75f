package consumer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

var errHandler = errors.New("the handler fails")

// every row of the ack and retry matrix from
// the queue's side. Three messages, one retry, retry_delay 5 s; what comes
// again is acked.
func TestMatrix(t *testing.T) {
	t.Parallel()
	first := "0s q 0#1 1#1 2#1"
	tests := []struct {
		name string
		do   func(b *batch.Batch) error
		want []string
	}{
		{"nothing", func(*batch.Batch) error { return nil }, []string{first}},
		{"ack all", func(b *batch.Batch) error { b.Ack(0); b.Ack(1); b.Ack(2); return nil }, []string{first}},
		{"ack 0, retry 1 by 1 s", func(b *batch.Batch) error { b.Ack(0); b.Retry(1, s); return nil }, []string{first, "1s q 1#2"}},
		{"fail", func(*batch.Batch) error { return errHandler }, []string{first, "5s q 0#2 1#2 2#2"}},
		{"ack 0, fail", func(b *batch.Batch) error { b.Ack(0); return errHandler }, []string{first, "5s q 1#2 2#2"}},
		{"ack all, fail", func(b *batch.Batch) error { b.Ack(0); b.Ack(1); b.Ack(2); return errHandler }, []string{first}},
		{"retry 0 by 2 s, fail", func(b *batch.Batch) error { b.Retry(0, 2*s); return errHandler }, []string{first, "2s q 0#2", "5s q 1#2 2#2"}},
		{"ack 0, retry 0", func(b *batch.Batch) error { b.Ack(0); b.Retry(0, s); return nil }, []string{first}},
		{"retry 0, ack 0", func(b *batch.Batch) error { b.Retry(0, s); b.Ack(0); return nil }, []string{first, "1s q 0#2"}},
		{"retry 0 by 2 s, then by 1 s", func(b *batch.Batch) error { b.Retry(0, 2*s); b.Retry(0, s); return nil }, []string{first, "1s q 0#2"}},
		{"retry 0 by default", func(b *batch.Batch) error { b.Retry(0, 0); return nil }, []string{first, "5s q 0#2"}},
		{"release 0 by 2 s", func(b *batch.Batch) error { b.Release(0, 2*s); return nil }, []string{first, "2s q 0#1"}},
		{"release 0, fail", func(b *batch.Batch) error { b.Release(0, 0); return errHandler }, []string{"0s q 0#1", first, "5s q 1#2 2#2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onEachStore(t, func(_ *testing.T, r *rig) {
				r.send("0", "1", "2")
				c := r.config(func(_ context.Context, b *batch.Batch) error {
					if b.Len() == 3 && b.Deliveries()[0].Attempts == 1 {
						return tt.do(b)
					}
					return nil
				})
				c.MaxRetries, c.RetryDelay, c.MaxBatchTimeout, c.MaxConcurrency = new(1), 5*s, new(time.Duration(0)), 1
				r.run(c)
				time.Sleep(time.Minute)
				synctest.Wait()
				r.diary(tt.want...)
				r.left("q", adapter.Stats{})
			})
		})
	}
}
