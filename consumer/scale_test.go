package consumer_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// Two consumers share a queue as two processes would: each message goes to one
// of them, and both work.
func TestScalingOut(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.send(names(40)...)
		took := make([]int, 2)
		for i := range took {
			c := prompt(r.config(nil))
			c.MaxBatchSize, c.MaxConcurrency = 1, 2
			c.Handler = func(_ context.Context, b *batch.Batch) error {
				time.Sleep(s)
				r.faulty.mu.Lock()
				defer r.faulty.mu.Unlock()
				took[i]++
				return nil
			}
			r.run(c)
		}
		time.Sleep(10*s + time.Millisecond)
		synctest.Wait()
		r.counts(consumer.Counts{Acked: 40})
		if took[0] != 20 || took[1] != 20 {
			t.Errorf("the consumers took %v", took)
		}
		r.left("q", adapter.Stats{})
	})
}

// After 1,000 batches Run leaves no goroutine: the bubble would not end.
func TestNoGoroutineIsLeft(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		c := prompt(r.config(nil))
		c.MaxBatchSize, c.MaxConcurrency = 1, 50
		c.Alone = func(adapter.Delivery) bool { return true }
		run := r.run(c)
		for range 10 {
			r.send(names(100)...)
			time.Sleep(s)
		}
		r.counts(consumer.Counts{Acked: 1000})
		if err := run.stop(); err != nil {
			t.Error(err)
		}
	})
}

// latent is a store on the network.
type latent struct {
	adapter.Adapter
	trip time.Duration
}

func (l latent) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	time.Sleep(l.trip)
	return l.Adapter.Receive(ctx, queue, o)
}

// One Receive at a time would bound a store on the network to a batch a round
// trip; while batches come in full there are up to four.
func TestReceivesOverlapWhileBatchesAreFull(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		for range 100 {
			r.send(names(100)...)
		}
		r.Adapter = latent{r.Adapter, 10 * time.Millisecond}
		c := prompt(r.config(nil))
		c.MaxConcurrency, c.Handler = 20, func(context.Context, *batch.Batch) error { return nil }
		r.run(c)
		time.Sleep(s)
		// 1,000 with one Receive at a time.
		if acked := r.told().Acked; acked < 3500 || acked > 4000 {
			t.Errorf("%d messages in a second", acked)
		}
	})
}

func benchmarkConsumer(b *testing.B, size int) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	a := stores["memory"](nil)
	defer a.Close()
	msgs := make([]adapter.Message, 100)
	for i := range msgs {
		msgs[i].Body = make([]byte, 200)
	}
	for i := 0; i < b.N; i += len(msgs) {
		if err := a.Send(ctx, "q", msgs[:min(len(msgs), b.N-i)]...); err != nil {
			b.Fatal(err)
		}
	}
	left := make(chan int, 1)
	left <- b.N
	c := consumer.Config{
		Adapter: a, Queue: "q", MaxBatchSize: size, MaxBatchTimeout: new(time.Duration(0)), DeadLetter: "dead",
		Handler: func(context.Context, *batch.Batch) error { return nil },
		Observe: func(e consumer.Event) {
			if e.Kind != consumer.Ended {
				return
			}
			n := <-left - e.Acked
			if n == 0 {
				cancel()
			}
			left <- n
		},
	}
	b.ReportAllocs()
	b.ResetTimer()
	if err := consumer.Run(ctx, c); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "msg/s")
}

func BenchmarkConsumer(b *testing.B) {
	for _, size := range []int{1, 10, 100} {
		b.Run(fmt.Sprint(size), func(b *testing.B) { benchmarkConsumer(b, size) })
	}
}
