package consumer_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// die leases the message as a process does that dies on it.
func (r *rig) die(times int) {
	r.t.Helper()
	for range times {
		ds, err := r.Adapter.Receive(context.Background(), "q", adapter.ReceiveOptions{Lease: s})
		if err != nil || len(ds) != 1 {
			r.t.Fatalf("received %d messages, error %v", len(ds), err)
		}
		time.Sleep(2 * s)
	}
}

// Messages whose workers died on them, every time, are not run again; their
// neighbours are.
func TestPoison(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		deaths int
		dead   string
		want   []string
		counts consumer.Counts
	}{
		{"one attempt left", 1, "dead", []string{"10s q bad#2 b#1"}, consumer.Counts{Acked: 2}},
		{"moved", 2, "dead", []string{"10s q b#1"}, consumer.Counts{Moved: 1, Acked: 1}},
		{"deleted", 2, "", []string{"10s q b#1"}, consumer.Counts{Deleted: 1, Acked: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onEachStore(t, func(_ *testing.T, r *rig) {
				r.send("bad")
				r.die(tt.deaths)
				time.Sleep(time.Until(r.start.Add(10 * s)))
				r.send("b")
				c := prompt(r.config(nil))
				c.MaxRetries, c.DeadLetter = new(1), tt.dead
				r.run(c)
				time.Sleep(time.Minute)
				r.diary(tt.want...)
				r.counts(tt.counts)
				r.wantLogged(tt.counts.Moved, "level=WARN", "message moved to the dead-letter queue", "attempts=3", "to=dead")
				r.wantLogged(tt.counts.Deleted, "level=WARN", "message deleted", "attempts=3")
				r.left("q", adapter.Stats{})
				if tt.counts.Moved > 0 {
					r.left("dead", adapter.Stats{Ready: 1})
				}
			})
		})
	}
}

// While they cannot be settled their leases and their neighbours' are kept, and
// a stop gives the neighbours back.
func TestPoisonThroughAnOutage(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.send("bad")
		r.die(2)
		r.send("b")
		restart := time.Now()
		r.onSettle = func(list []adapter.Settlement, next func() error) error {
			if list[0].Do == adapter.Move && time.Since(restart) < 50*s {
				return errOutage
			}
			return next()
		}
		c := prompt(r.config(nil))
		c.MaxRetries, c.DeadLetter, c.Grace = new(1), "dead", time.Minute
		run := r.run(c)
		synctest.Wait()
		second := r.run(c) // another process
		time.Sleep(40 * s)
		if err := second.stop(); err != nil {
			t.Error(err)
		}
		run.cancel()
		synctest.Wait()
		third := r.run(c)
		time.Sleep(s)
		if err := third.stop(); err != nil {
			t.Error(err)
		}
		r.diary("44s q b#1")
		if err := run.wait(); err != nil {
			t.Error(err)
		}
		r.left("dead", adapter.Stats{Ready: 1})
		r.left("q", adapter.Stats{})
	})
}

// A message with an event of its own takes no neighbour with it, and no slot.
func TestAlone(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error {
			time.Sleep(s)
			if name(b.Deliveries()[0]) == "bad1" {
				return errHandler
			}
			return nil
		}))
		c.Alone = func(d adapter.Delivery) bool { return len(name(d)) > 1 }
		c.MaxConcurrency, c.RetryDelay = 1, time.Hour
		r.send("a", "bad1", "b", "bad2", "c")
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q a#1 b#1 c#1", "1s q bad1#1", "2s q bad2#1")
		r.counts(consumer.Counts{Acked: 4, Retried: 1})
		r.wantLogged(1, "event failed")
	})
}
