package consumer_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// prompt makes every batch go at once.
func prompt(c consumer.Config) consumer.Config {
	c.MaxBatchTimeout = new(time.Duration(0))
	return c
}

func TestStopWhileIdle(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		run := r.run(r.config(nil))
		time.Sleep(time.Minute)
		if err := run.stop(); err != nil {
			t.Error(err)
		}
		if d := time.Since(r.start); d != time.Minute {
			t.Errorf("stopped after %v", d)
		}
		r.wantLogged(0, "level=ERROR")
	})
}

// The first phase: what runs may end well, nothing more is received.
func TestGrace(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		c := prompt(r.config(func(ctx context.Context, _ *batch.Batch) error {
			time.Sleep(10 * s)
			return ctx.Err()
		}))
		r.send("a")
		run := r.run(c)
		time.Sleep(s)
		run.cancel()
		synctest.Wait()
		r.send("b")
		if err := run.wait(); err != nil {
			t.Error(err)
		}
		r.note("stopped")
		r.diary("0s q a#1", "10s stopped")
		r.counts(consumer.Counts{Acked: 1})
		r.left("q", adapter.Stats{Ready: 1})
	})
}

// The second phase: events that outlive the grace have failed. Their marks
// stand, the rest comes again at once instead of after retry_delay.
func TestGraceIsOver(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]func(ctx context.Context) error{
		"and says so":  context.Cause,
		"and says nil": func(context.Context) error { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			onEachStore(t, func(t *testing.T, r *rig) {
				c := prompt(r.config(func(ctx context.Context, b *batch.Batch) error {
					if b.Deliveries()[0].Attempts > 1 {
						return nil
					}
					b.Ack(0)
					b.Retry(1, 30*s)
					<-ctx.Done()
					if !errors.Is(context.Cause(ctx), consumer.ErrStopping) {
						t.Errorf("cause is %v", context.Cause(ctx))
					}
					return result(ctx)
				}))
				c.Grace, c.RetryDelay = 4*s, time.Hour
				r.send("a", "b", "c", "d")
				run := r.run(c)
				time.Sleep(s)
				if err := run.stop(); err != nil {
					t.Error(err)
				}
				r.note("stopped")
				r.run(c)
				time.Sleep(time.Minute)
				r.diary("0s q a#1 b#1 c#1 d#1", "5s q c#2 d#2", "5s stopped", "35s q b#2")
				r.wantLogged(1, "level=ERROR", "event failed", `ended_because="consumer is stopping"`)
			})
		})
	}
}

// What was leased when Run is to stop and has not started is given back with
// the attempts it had.
func TestStopGivesBackWhatHasNotStarted(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		var run running
		set(r.faulty, &r.onReceive, func(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
			ds, err := next()
			if len(ds) > 0 {
				run.cancel()
			}
			return ds, err
		})
		run = r.run(prompt(r.config(nil)))
		time.Sleep(s)
		r.send("a", "b")
		if err := run.wait(); err != nil {
			t.Error(err)
		}
		r.counts(consumer.Counts{Released: 2})
		set(r.faulty, &r.onReceive, nil)
		r.run(prompt(r.config(nil)))
		time.Sleep(s)
		r.diary("1s q a#1 b#1")
	})
}

// Messages that wait behind an event of their batch are given back at once,
// not when that event ends.
func TestStopGivesBackWhatWaitsBehindAnEvent(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		noteExtends(r)
		c := prompt(r.config(sleepy(15 * s)))
		c.Alone = func(d adapter.Delivery) bool { return name(d) != "a" }
		c.Grace = time.Minute
		r.send("a", "b", "c")
		run := r.run(c)
		time.Sleep(s)
		run.cancel()
		synctest.Wait()
		r.run(prompt(r.config(nil))) // another process
		run.wait()
		r.note("stopped")
		r.diary("0s q a#1", "1s q b#1 c#1", "10s extend 1", "15s stopped")
		r.wantLogged(0, "lost")
		if got := r.told(); got.Acked != 3 || got.Released < 2 { // a Receive that is just ending may get them too
			t.Errorf("%+v", got)
		}
	})
}

// What is given back keeps its lease while the store cannot be reached.
func TestStopGivesBackThroughAnOutage(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		r.onSettle = func(_ []adapter.Settlement, next func() error) error {
			if time.Since(r.start) < 50*s {
				return errOutage
			}
			return next()
		}
		c := prompt(r.config(sleepy(2 * s)))
		c.Alone = func(adapter.Delivery) bool { return true }
		c.Grace = time.Minute
		r.send("a", "b")
		run := r.run(c)
		time.Sleep(s)
		run.cancel()
		other := c
		other.Observe = nil
		r.run(other) // another process
		run.wait()
		r.counts(consumer.Counts{Acked: 1, Released: 1})
		time.Sleep(time.Minute)
		synctest.Wait()
		if len(r.lines) != 2 || r.lines[1].what != "q b#1" || r.lines[1].at < 50*s {
			t.Errorf("diary: %v", r.lines)
		}
	})
}

// A handler that does not even return when its context ends is left behind, and
// Run says so.
func TestHandlerThatDoesNotReturn(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		free := make(chan struct{})
		c := prompt(r.config(func(context.Context, *batch.Batch) error { <-free; return nil }))
		r.send("a")
		run := r.run(c)
		time.Sleep(s)
		err := run.stop()
		if err == nil || err.Error() != `consumer of queue "q": 1 events did not end: their handlers do not return` {
			t.Errorf("Run returned %v", err)
		}
		if d := time.Since(r.start); d > 20*s {
			t.Errorf("that took %v", d)
		}
		close(free)
		synctest.Wait()
		r.counts(consumer.Counts{Unsettled: 1})
	})
}
