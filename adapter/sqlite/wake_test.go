package sqlite_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// BenchmarkWake measures the time from a send to the return of a Receive that
// waits, in one adapter and, as between processes, in another.
func BenchmarkWake(b *testing.B) {
	for _, bench := range []struct {
		name, query string
		apart       bool
	}{
		{"sqlite", "", false}, {"sqlite-normal", "?synchronous=normal", false}, {"sqlite-apart", "", true},
	} {
		b.Run(bench.name, func(b *testing.B) {
			at := address(b, bench.query)
			sender := openAt(b, at)
			receiver := sender
			if bench.apart {
				receiver = openAt(b, at)
				defer func() { _ = receiver.Close() }()
			}
			defer func() { _ = sender.Close() }()
			ctx := context.Background()
			var took []time.Duration
			for b.Loop() {
				woken := make(chan time.Time)
				go func() {
					ds, err := receiver.Receive(ctx, "q", adapter.ReceiveOptions{Wait: time.Minute})
					if err != nil || len(ds) != 1 {
						b.Errorf("received %d, error %v", len(ds), err)
					}
					woken <- time.Now()
					for _, d := range ds {
						if err := receiver.Settle(ctx, "q", adapter.Settlement{Lease: d.Lease}); err != nil {
							b.Error(err)
						}
					}
					woken <- time.Time{}
				}()
				time.Sleep(20 * time.Millisecond)
				start := time.Now()
				if err := sender.Send(ctx, "q", bodies(1)...); err != nil {
					b.Fatal(err)
				}
				took = append(took, (<-woken).Sub(start))
				<-woken
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
		})
	}
}
