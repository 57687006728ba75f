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

const s = time.Second

// sleepy is a handler that takes d.
func sleepy(d time.Duration) func(context.Context, *batch.Batch) error {
	return func(context.Context, *batch.Batch) error {
		time.Sleep(d)
		return nil
	}
}

// B-21, B-25: what is full goes at once, the rest after the timeout.
func TestWindows(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.send(names(12)...)
		c := r.config(nil)
		c.MaxBatchSize, c.MaxBatchTimeout = 5, new(2*s)
		r.run(c)
		time.Sleep(time.Minute)
		r.diary("0s q m0#1 m1#1 m2#1 m3#1 m4#1", "0s q m5#1 m6#1 m7#1 m8#1 m9#1", "2s q m10#1 m11#1")
		r.counts(consumer.Counts{Acked: 12})
	})
}

// B-4, B-5: 10 messages and 5 s where nothing else is configured.
func TestDefaultWindow(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.send(names(11)...)
		r.run(r.config(nil))
		time.Sleep(time.Minute)
		r.diary("0s q m0#1 m1#1 m2#1 m3#1 m4#1 m5#1 m6#1 m7#1 m8#1 m9#1", "5s q m10#1")
	})
}

// B-25: the timer starts when the first message is ready, and only then.
func TestBatchTimer(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		c := r.config(nil)
		c.MaxBatchTimeout = new(2500 * time.Millisecond)
		r.run(c)
		time.Sleep(10 * s)
		r.send("a")
		time.Sleep(2 * s)
		r.send("b")
		time.Sleep(8 * s)
		r.sendAfter(adapter.After(4*s), "later")
		time.Sleep(time.Minute)
		r.diary("12.5s q a#1 b#1", "26.5s q later#1")
	})
}

// B-25: a timeout of 0 takes what waits; more waits while the consumer is busy.
func TestNoTimeoutAccumulatesWhileBusy(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		c := r.config(sleepy(s))
		c.MaxBatchTimeout, c.MaxConcurrency, c.MaxBatchSize = new(time.Duration(0)), 1, 3
		r.run(c)
		time.Sleep(s)
		r.send("a")
		synctest.Wait()
		for _, n := range []string{"b", "c", "d", "e"} {
			r.send(n)
		}
		time.Sleep(time.Minute)
		r.diary("1s q a#1", "2s q b#1 c#1 d#1", "3s q e#1")
	})
}

// An idle queue costs one Receive that waits, before a burst and after it.
func TestIdleQueueHasOneReceive(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		waiting := make(chan struct{}, 1000)
		r.onReceive = func(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
			waiting <- struct{}{}
			defer func() { <-waiting }()
			return next()
		}
		c := r.config(sleepy(s))
		c.MaxBatchSize, c.MaxConcurrency, c.MaxBatchTimeout = 1, 50, new(time.Duration(0))
		r.run(c)
		idle := func() {
			t.Helper()
			synctest.Wait()
			if n := len(waiting); n != 1 {
				t.Errorf("%d receives wait on an idle queue", n)
			}
		}
		for range 100 {
			idle()
			time.Sleep(s)
		}
		r.send(names(100)...)
		time.Sleep(10 * s)
		r.counts(consumer.Counts{Acked: 100})
		idle()
	})
}

// B-44, B-57: never more events than workers, never more leased than these hold.
func TestConcurrency(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		leased := make(chan struct{}, 1000)
		most := 0
		r.onReceive = func(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
			ds, err := next()
			for range ds {
				leased <- struct{}{}
			}
			return ds, err
		}
		r.onSettle = func(s []adapter.Settlement, next func() error) error {
			err := next()
			for range s {
				<-leased
			}
			return err
		}
		c := r.config(func(context.Context, *batch.Batch) error {
			time.Sleep(s)
			r.faulty.mu.Lock()
			defer r.faulty.mu.Unlock()
			most = max(most, len(leased))
			return nil
		})
		c.MaxConcurrency, c.MaxBatchSize, c.MaxBatchTimeout = 3, 2, new(time.Duration(0))
		r.send(names(14)...)
		r.run(c)
		time.Sleep(time.Minute)
		synctest.Wait()
		r.diary("0s q m0#1 m1#1", "0s q m2#1 m3#1", "0s q m4#1 m5#1", "1s q m10#1 m11#1", "1s q m6#1 m7#1", "1s q m8#1 m9#1", "2s q m12#1 m13#1")
		if most != 6 {
			t.Errorf("%d messages were leased at once, want 6", most)
		}
	})
}

// B-44: 250 at once.
func Test250Events(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		running := make(chan struct{}, 1000)
		c := r.config(func(ctx context.Context, _ *batch.Batch) error {
			running <- struct{}{}
			<-ctx.Done()
			return ctx.Err()
		})
		c.MaxConcurrency, c.MaxBatchSize = 250, 1
		for range 3 {
			r.send(names(100)...)
		}
		run := r.run(c)
		synctest.Wait()
		if n := len(running); n != 250 {
			t.Errorf("%d events run, want 250", n)
		}
		if err := run.stop(); err != nil {
			t.Error(err)
		}
		r.counts(consumer.Counts{Retried: 250})
	})
}
