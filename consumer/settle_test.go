package consumer_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

var errOutage = errors.New("connection refused")

// An outage longer than a lease: one call with the whole list, repeated as it
// was, while the leases are kept. Nothing comes again.
func TestSettleThroughAnOutage(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var lists [][]adapter.Settlement
		r.onSettle = func(s []adapter.Settlement, next func() error) error {
			lists = append(lists, slices.Clone(s))
			if time.Since(r.start) < 70*time.Second {
				return errOutage
			}
			return next()
		}
		c := prompt(r.config(func(_ context.Context, b *batch.Batch) error { b.Retry(1, time.Hour); return nil }))
		r.send("a", "b", "c")
		r.run(c)
		synctest.Wait()
		r.run(prompt(r.config(nil))) // would be given them if a lease ran out
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		r.diary("0s q a#1 b#1 c#1")
		r.counts(consumer.Counts{Acked: 2, Retried: 1})
		for _, l := range lists {
			if d := cmp.Diff(lists[0], l); d != "" {
				t.Error(d)
			}
		}
		// 100 ms, then twice as long each time up to 5 s, of which half is random.
		if n := len(lists); n < 15 || n > 45 {
			t.Errorf("%d calls", n)
		}
		r.wantLogged(1, "level=WARN", "settling failed", `error="connection refused"`)
		r.wantLogged(1, "level=INFO", "settling works again")
	})
}

// A call that was done though it failed: the repetition finds the leases gone.
func TestSettledThoughTheAnswerWasLost(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		tries := 0
		r.onSettle = func(_ []adapter.Settlement, next func() error) error {
			tries++
			err := next()
			if tries == 1 {
				return errOutage
			}
			return err
		}
		c := prompt(r.config(fail))
		c.MaxRetries, c.DeadLetter = new(0), "dead"
		r.send("a", "b")
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q a#1 b#1")
		r.counts(consumer.Counts{Moved: 2})
		r.left("dead", adapter.Stats{Ready: 2})
		r.wantLogged(2, "message moved to the dead-letter queue")
		r.wantLogged(0, "lease is lost")
	})
}

// Of a call that was done in part the whole list is repeated.
func TestSettledInPart(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var sizes []int
		r.onSettle = func(s []adapter.Settlement, next func() error) error {
			sizes = append(sizes, len(s))
			if len(sizes) > 1 {
				return next()
			}
			if err := r.Adapter.Settle(context.Background(), "q", s[1]); err != nil {
				t.Error(err)
			}
			return &adapter.PartialError{Items: []adapter.ItemError{{Index: 0, Err: errOutage}, {Index: 2, Err: errOutage}}}
		}
		r.send("a", "b", "c")
		r.run(prompt(r.config(nil)))
		time.Sleep(time.Minute)
		synctest.Wait()
		r.diary("0s q a#1 b#1 c#1")
		r.counts(consumer.Counts{Acked: 3})
		r.left("q", adapter.Stats{})
		if d := cmp.Diff([]int{3, 3}, sizes); d != "" {
			t.Error(d)
		}
	})
}

// A lease that is lost when its event ends costs that message's settlement only.
func TestSettleOfALostLease(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.send("a", "b")
		r.run(prompt(r.config(sleepy(5 * s))))
		time.Sleep(s)
		r.purge("a")
		time.Sleep(time.Minute)
		r.counts(consumer.Counts{Acked: 1, Lost: 1})
		r.wantLogged(1, "level=WARN", "its lease is lost")
		r.wantLogged(0, "settling failed")
	})
}

// Only the end of Run's last phase ends the repetition; the log says so.
func TestSettlingGivenUp(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.onSettle = func([]adapter.Settlement, func() error) error { return errOutage }
		r.send("a", "b")
		c := prompt(r.config(nil))
		c.Grace = 3 * s
		run := r.run(c)
		time.Sleep(5 * time.Minute)
		r.wantLogged(0, "given up")
		if err := run.stop(); err != nil {
			t.Error(err)
		}
		if d := time.Since(r.start); d > 5*time.Minute+9*s {
			t.Errorf("stopped after %v", d)
		}
		r.counts(consumer.Counts{Unsettled: 2})
		r.wantLogged(1, "level=ERROR", "settling given up", "#1")
	})
}

// Delays that the store would refuse are as long as it takes.
func TestDelaysTheStoreTakes(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.caps = func(c *adapter.Capabilities) { c.MaxDelay = time.Minute }
		r.send("a")
		run := r.run(prompt(r.config(func(_ context.Context, b *batch.Batch) error { b.Retry(0, time.Hour); return nil })))
		time.Sleep(90 * s)
		r.diary("0s q a#1", "1m0s q a#2")
		run.stop()
	})
}
