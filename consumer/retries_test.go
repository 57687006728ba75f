package consumer_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

func fail(context.Context, *batch.Batch) error { return errHandler }

// B-26, B-27: the platform's times to the second, dead letters with a consumer
// of their own.
func TestRetriesThenDeadLetters(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		c := r.config(fail)
		c.MaxRetries, c.RetryDelay, c.MaxBatchTimeout, c.DeadLetter = new(2), s, new(2*s), "dead"
		dead := r.config(func(_ context.Context, b *batch.Batch) error {
			if d := cmp.Diff(adapter.Origin{Queue: "q", Attempts: 3}, b.Deliveries()[0].Origin); d != "" {
				t.Error(d)
			}
			return nil
		})
		dead.Queue, dead.MaxBatchTimeout, dead.DeadLetter = "dead", new(s), "graveyard"
		r.run(c)
		r.run(dead)
		r.send("a", "b")
		time.Sleep(time.Minute)
		r.diary("2s q a#1 b#1", "5s q a#2 b#2", "8s q a#3 b#3", "9s dead a#1 b#1")
		r.left("q", adapter.Stats{})
		r.left("dead", adapter.Stats{})
		r.counts(consumer.Counts{Retried: 4, Moved: 2, Acked: 2})
		r.wantLogged(2, "level=WARN", "message moved to the dead-letter queue", "queue=q", "to=dead", "attempts=3")
		r.wantLogged(3, "level=ERROR", "event failed", `reason="the handler fails"`)
		r.wantLogged(0, "deleted")
	})
}

// B-6, B-26: how many attempts there are, and where the message is then.
func TestAttempts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		retries *int
		dead    string
		want    []string
		counts  consumer.Counts
	}{
		{"B-6 the default", nil, "dead", []string{"0s q a#1", "1s q a#2", "2s q a#3", "3s q a#4"}, consumer.Counts{Retried: 3, Moved: 1}},
		{"B-32 none", new(0), "dead", []string{"0s q a#1"}, consumer.Counts{Moved: 1}},
		{"B-32 none, no dead letters", new(0), "", []string{"0s q a#1"}, consumer.Counts{Deleted: 1}},
		{"B-29 no dead letters", new(1), "", []string{"0s q a#1", "1s q a#2"}, consumer.Counts{Retried: 1, Deleted: 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			onEachStore(t, func(_ *testing.T, r *rig) {
				c := r.config(fail)
				c.MaxRetries, c.DeadLetter, c.RetryDelay, c.MaxBatchTimeout = tt.retries, tt.dead, s, new(time.Duration(0))
				r.send("a")
				r.run(c)
				time.Sleep(time.Minute)
				r.diary(tt.want...)
				r.counts(tt.counts)
				r.left("q", adapter.Stats{})
				r.wantLogged(tt.counts.Deleted, "level=WARN", "no dead-letter queue")
				r.wantLogged(tt.counts.Deleted, "level=WARN", "message deleted")
				if tt.dead != "" {
					r.left(tt.dead, adapter.Stats{Ready: 1})
				}
			})
		})
	}
}

// An explicit retry on the last attempt is no way around the limit.
func TestRetryOnLastAttempt(t *testing.T) {
	t.Parallel()
	for dead, counts := range map[string]consumer.Counts{"dead": {Retried: 1, Moved: 1}, "": {Retried: 1, Deleted: 1}} {
		t.Run("dead letters to "+dead, func(t *testing.T) {
			onEachStore(t, func(_ *testing.T, r *rig) {
				c := prompt(r.config(func(_ context.Context, b *batch.Batch) error { b.Retry(0, 2*s); return nil }))
				c.MaxRetries, c.DeadLetter = new(1), dead
				r.send("a")
				r.run(c)
				time.Sleep(time.Minute)
				r.diary("0s q a#1", "2s q a#2")
				r.counts(counts)
				r.wantLogged(0, "event failed")
			})
		})
	}
}
