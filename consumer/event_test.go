package consumer_test

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// A panic fails its event only, and its stack is in the log.
func TestPanic(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error {
			if b.Deliveries()[0].Attempts == 1 {
				b.Ack(0)
				b.Ack(99)
			}
			return nil
		}))
		r.send("a", "b")
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q a#1 b#1", "0s q b#2")
		r.counts(consumer.Counts{Acked: 2, Retried: 1})
		r.wantLogged(1, "level=ERROR")
		r.wantLogged(1, "level=ERROR", "event failed", `reason="panic: `, "index out of range", "stack=", "event_test.go")
	})
}

// A handler that ends its goroutine, as t.FailNow does, costs no worker.
func TestHandlerEndsItsGoroutine(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error {
			if b.Deliveries()[0].Attempts == 1 {
				runtime.Goexit()
			}
			return nil
		}))
		c.MaxConcurrency = 1
		r.send("a")
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q a#1", "30s q a#2")
		r.counts(consumer.Counts{Acked: 1})
	})
}

// The log has an event's reason word for word, what its messages were, and the
// marks that lost; it has no body.
func TestLog(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var ids []string
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error {
			for _, d := range b.Deliveries() {
				ids = append(ids, d.ID)
			}
			b.Ack(0)
			b.Retry(0, s)
			return errors.New("队列发送失败：Queue is full")
		}))
		c.MaxRetries = new(0)
		r.send("secret", "secret")
		r.run(c)
		time.Sleep(time.Minute)
		synctest.Wait()
		r.wantLogged(1, "level=WARN", "mark has no effect", "queue=q", "message="+ids[0], "mark=retry", "first=ack")
		r.wantLogged(1, "level=ERROR", "event failed", `reason="队列发送失败：Queue is full"`, `messages="`+ids[0]+"#1 "+ids[1]+`#1"`)
		r.wantLogged(1, "level=WARN", "message deleted", "message="+ids[1], "attempts=1")
		if strings.Contains(r.log.String(), "secret") {
			t.Errorf("a body is in the log:\n%s", r.log.String())
		}
	})
}

type contextKey struct{}

// An event's context carries cancellation and nothing of Run's context. It ends
// with the handler.
func TestContext(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var ended context.Context
		r.onSettle = func(_ []adapter.Settlement, next func() error) error {
			if !errors.Is(ended.Err(), context.Canceled) {
				t.Error("the context goes on though the handler has returned")
			}
			return next()
		}
		ctx, cancel := context.WithTimeout(context.WithValue(context.Background(), contextKey{}, 1), time.Minute)
		defer cancel()
		r.send("a")
		err := consumer.Run(ctx, prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			ended = ctx
			if _, ok := ctx.Deadline(); ok || ctx.Value(contextKey{}) != nil {
				t.Error("the context has a deadline or a value")
			}
			return nil
		})))
		if err != nil {
			t.Error(err)
		}
		r.counts(consumer.Counts{Acked: 1})
	})
}

// Observe is told of each batch, and what became of every message of it.
func TestObserve(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var mu sync.Mutex
		var got []consumer.Event
		r.send("dead")
		r.die(2)
		r.send("a", "b", "c", "alone")
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error {
			time.Sleep(2 * s)
			if b.Len() == 1 {
				return nil
			}
			b.Ack(0)
			b.Release(2, time.Hour)
			return errHandler
		}))
		c.MaxRetries, c.DeadLetter, c.RetryDelay = new(1), "dead", time.Hour
		c.Alone = func(d adapter.Delivery) bool { return name(d) == "alone" }
		c.Observe = func(e consumer.Event) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, e)
		}
		r.run(c)
		time.Sleep(time.Minute)
		synctest.Wait()
		want := []consumer.Event{
			{Kind: consumer.Received, Queue: "q", Messages: 5},
			{Kind: consumer.Skipped, Queue: "q", Messages: 1, Counts: consumer.Counts{Moved: 1}},
			{Kind: consumer.Ended, Queue: "q", Messages: 3, Duration: 2 * s, Err: errHandler, Counts: consumer.Counts{Acked: 1, Retried: 1, Released: 1}},
			{Kind: consumer.Ended, Queue: "q", Messages: 1, Duration: 2 * s, Counts: consumer.Counts{Acked: 1}},
		}
		if d := gocmp.Diff(want, got, cmpopts.EquateErrors()); d != "" {
			t.Error(d)
		}
	})
}
