package consumer_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// noteExtends writes each Extend and how many leases it names into the diary.
func noteExtends(r *rig) {
	r.onExtend = func(_ context.Context, leases []adapter.Lease, next func() error) error {
		r.note("extend %d", len(leases))
		return next()
	}
}

// purge removes messages of q by name.
func (r *rig) purge(what ...string) {
	r.t.Helper()
	ds, err := r.Adapter.Peek(context.Background(), "q", 100)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, d := range ds {
		for _, n := range what {
			if name(d) != n {
				continue
			}
			if _, err := r.Adapter.Purge(context.Background(), "q", d.ID); err != nil {
				r.t.Fatal(err)
			}
		}
	}
}

// Leases are renewed after a third of their life for as long as an event runs,
// and not after that.
func TestRenewal(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		noteExtends(r)
		r.send("a", "b")
		c := prompt(r.config(sleepy(65 * s)))
		r.run(c)
		r.run(c) // would be given them if a lease ran out
		time.Sleep(2 * time.Minute)
		r.diary("0s q a#1 b#1", "10s extend 2", "20s extend 2", "30s extend 2", "40s extend 2", "50s extend 2", "1m0s extend 2")
		r.counts(consumer.Counts{Acked: 2})
	})
}

// An event whose leases are all lost is ended; it learns why.
func TestAllLeasesLost(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.send("a", "b")
		r.run(prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			<-ctx.Done()
			r.note("ended")
			if !errors.Is(context.Cause(ctx), consumer.ErrLeasesLost) {
				t.Errorf("cause is %v", context.Cause(ctx))
			}
			return ctx.Err()
		})))
		time.Sleep(s)
		r.purge("a", "b")
		time.Sleep(time.Minute)
		r.diary("0s q a#1 b#1", "10s ended")
		r.counts(consumer.Counts{Lost: 2})
		r.wantLogged(1, "level=ERROR", "event failed", `reason="context canceled"`, `ended_because="all leases of the event are lost"`)
		r.wantLogged(2, "level=WARN", "lease lost while the message was in work")
	})
}

// An event that still holds some leases goes on, and only these are renewed.
func TestSomeLeasesLost(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		noteExtends(r)
		r.send("a", "b", "c")
		r.run(prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			time.Sleep(25 * s)
			return ctx.Err()
		})))
		time.Sleep(s)
		r.purge("b")
		time.Sleep(time.Minute)
		r.diary("0s q a#1 b#1 c#1", "10s extend 3", "20s extend 2")
		r.counts(consumer.Counts{Acked: 2, Lost: 1})
		r.wantLogged(0, "event failed")
	})
}

// An Extend that fails says nothing about the lease: it is repeated, and the
// event goes on.
func TestExtendFails(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		tries := 0
		r.onExtend = func(_ context.Context, _ []adapter.Lease, next func() error) error {
			tries++
			if time.Since(r.start) < 25*s {
				return errors.New("no route")
			}
			return next()
		}
		r.send("a")
		c := prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			time.Sleep(65 * s)
			return ctx.Err()
		}))
		r.run(c)
		r.run(c)
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		r.diary("0s q a#1")
		r.counts(consumer.Counts{Acked: 1})
		r.wantLogged(1, "level=WARN", "renewing leases failed", `error="no route"`)
		// From 10 s on every 1.5 to 3 s until 25 s, then every 10.
		if tries < 9 || tries > 16 {
			t.Errorf("%d extends", tries)
		}
	})
}

// A renewal that hangs holds up nobody, and is over when Run is.
func TestExtendHangs(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var hanging atomic.Bool
		r.onExtend = func(ctx context.Context, _ []adapter.Lease, _ func() error) error {
			hanging.Store(true)
			<-ctx.Done()
			time.Sleep(time.Millisecond)
			hanging.Store(false)
			return ctx.Err()
		}
		c := prompt(r.config(sleepy(12 * s)))
		c.MaxBatchSize, c.MaxConcurrency = 1, 1
		r.send("a", "b")
		run := r.run(c)
		time.Sleep(13 * s)
		run.cancel()
		if err := run.wait(); err != nil {
			t.Error(err)
		}
		if hanging.Load() {
			t.Error("a renewal is left")
		}
		r.diary("0s q a#1", "12.001s q b#1")
		r.counts(consumer.Counts{Acked: 1, Retried: 1})
	})
}

func TestExtendFailsForOne(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.onExtend = func(context.Context, []adapter.Lease, func() error) error {
			return &adapter.PartialError{Items: []adapter.ItemError{{Index: 0, Err: errors.New("busy")}, {Index: 1, Err: adapter.ErrLeaseLost}}}
		}
		r.send("a", "b")
		r.run(prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			time.Sleep(25 * s)
			return ctx.Err()
		})))
		time.Sleep(time.Minute)
		r.wantLogged(0, "event failed")
		r.wantLogged(1, "lease lost while the message was in work")
	})
}

// A store without renewal is told of once; it is not asked again and again.
func TestExtendUnsupported(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.onExtend = func(context.Context, []adapter.Lease, func() error) error {
			r.note("extend")
			return errors.ErrUnsupported
		}
		c := prompt(r.config(sleepy(25 * s)))
		c.MaxBatchSize = 1
		r.send("a", "b")
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q a#1", "0s q b#1", "10s extend", "10s extend")
		r.wantLogged(1, "level=WARN", "the store cannot renew leases")
		r.counts(consumer.Counts{Acked: 2})
	})
}

// Messages that wait behind an event of their batch keep their leases; one that
// lost it does not start.
func TestLeasesOfWhatWaits(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		noteExtends(r)
		c := prompt(r.config(sleepy(24 * s)))
		c.Alone = func(adapter.Delivery) bool { return true }
		r.send("a", "b", "c")
		r.run(c)
		r.run(c)
		time.Sleep(s)
		r.purge("b")
		time.Sleep(2 * time.Minute)
		r.diary("0s q a#1", "10s extend 3", "20s extend 2", "24s q c#1", "30s extend 1", "40s extend 1")
		r.counts(consumer.Counts{Acked: 2, Lost: 1})
	})
}
