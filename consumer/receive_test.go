package consumer_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/consumer"
)

// An outage is logged when it begins and when it ends, and is not hammered.
func TestReceiveThroughAnOutage(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var tries atomic.Int32
		r.onReceive = func(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
			if d := time.Since(r.start) % (3 * time.Minute); d > time.Minute && d < 2*time.Minute {
				tries.Add(1)
				return nil, errOutage
			}
			return next()
		}
		r.run(prompt(r.config(nil)))
		time.Sleep(119 * s)
		r.send("a")
		time.Sleep(10 * s)
		r.counts(consumer.Counts{Acked: 1})
		// 100 ms, then twice as long each time up to 5 s, of which half is random.
		if n := tries.Load(); n < 10 || n > 40 {
			t.Errorf("%d receives", n)
		}
		r.wantLogged(1, "level=ERROR", "receiving failed", `error="connection refused"`)
		r.wantLogged(1, "level=INFO", "receiving works again")
		time.Sleep(6 * time.Minute)
		r.wantLogged(3, "level=ERROR", "receiving failed")
		r.wantLogged(3, "level=INFO", "receiving works again")
	})
}

// The end of an outage is noticed soon, though no message comes.
func TestOutageEndsOnAnIdleQueue(t *testing.T) {
	onEachStore(t, func(_ *testing.T, r *rig) {
		r.onReceive = func(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
			if time.Since(r.start) < time.Minute {
				return nil, errOutage
			}
			return next()
		}
		r.run(r.config(nil))
		time.Sleep(time.Minute + 5*s)
		r.wantLogged(1, "receiving works again")
	})
}

// A paused queue delivers nothing, quietly, and goes on within two seconds.
func TestPause(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		pause := func(on bool) {
			if err := r.Adapter.Configure(context.Background(), "q", func(s *adapter.Settings) { s.Paused = on }); err != nil {
				t.Fatal(err)
			}
		}
		r.run(prompt(r.config(nil)))
		time.Sleep(10 * s)
		pause(true)
		time.Sleep(2 * s)
		r.send("a")
		time.Sleep(time.Hour)
		r.diary()
		pause(false)
		time.Sleep(2 * s)
		r.counts(consumer.Counts{Acked: 1})
		r.wantLogged(0, "level=ERROR")
		r.wantLogged(0, "level=INFO")
	})
}

// A closed adapter ends Run with an error, after the events it had.
func TestAdapterClosed(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.send("a")
		run := r.run(prompt(r.config(sleepy(5 * s))))
		time.Sleep(s)
		if err := r.Adapter.Close(); err != nil {
			t.Error(err)
		}
		if err := run.wait(); !errors.Is(err, adapter.ErrClosed) {
			t.Errorf("Run returned %v", err)
		}
		if d := time.Since(r.start); d != 5*s {
			t.Errorf("after %v", d)
		}
		r.counts(consumer.Counts{Unsettled: 1})
		r.wantLogged(1, "level=ERROR", "settling given up")
		synctest.Wait()
	})
}
