package adaptertest

import (
	"sync"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// queue returns how Queues lists this one.
func (e *env) queue(name string) adapter.Queue {
	e.Helper()
	all, err := e.a.Queues(e.ctx)
	if err != nil {
		e.Errorf("Queues: %v", err)
	}
	for _, q := range all {
		if q.Name == name {
			return q
		}
	}
	e.Fatalf("queue %q is not listed", name)
	return adapter.Queue{}
}

var settingsTests = []test{
	{name: "Configure creates the queue", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) {
			if *s != (adapter.Settings{}) {
				e.Errorf("a new queue's settings are %+v, want none", *s)
			}
		})
		e.counts(q, 0, 0, 0)
		if got := e.queue(q).Settings; got != (adapter.Settings{}) {
			e.Errorf("settings %+v, want none", got)
		}
	}},
	{name: "change gets the present ones and they are kept", needs: control, run: func(e *env) {
		want := adapter.Settings{DeliveryDelay: 90 * time.Second, Retention: 14 * 24 * time.Hour, Paused: true}
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = want.DeliveryDelay })
		e.configure(q, func(s *adapter.Settings) { s.Retention = want.Retention })
		e.configure(q, func(s *adapter.Settings) { s.Paused = true })
		e.configure(q, func(s *adapter.Settings) {
			if diff := cmp.Diff(want, *s); diff != "" {
				e.Errorf("settings given (-want +got):\n%s", diff)
			}
		})
		e.send(q, "a")
		if diff := cmp.Diff(want, e.queue(q).Settings); diff != "" {
			e.Errorf("settings listed (-want +got):\n%s", diff)
		}
		if got := e.other(); got != (adapter.Settings{}) {
			e.Errorf("another queue's settings are %+v, want none", got)
		}
	}},
	{name: "concurrent changes are not lost", needs: control, run: func(e *env) {
		const callers, each = 8, 10
		var wg sync.WaitGroup
		for range callers {
			wg.Go(func() {
				for range each {
					e.configure(q, func(s *adapter.Settings) {
						time.Sleep(100 * time.Microsecond) // the others read meanwhile, if they may
						s.DeliveryDelay += time.Second
					})
				}
			})
		}
		wg.Wait()
		if got := e.queue(q).Settings.DeliveryDelay; got != callers*each*time.Second {
			e.Errorf("after %d changes by a second the delay is %v", callers*each, got)
		}
	}},
	{name: "Created stays and Modified follows", needs: control, run: func(e *env) {
		start := time.Now()
		e.send(q, "a")
		first := e.queue(q)
		e.sleep(1)
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = time.Second })
		second := e.queue(q)
		if d := first.Created.Sub(start); d < -time.Millisecond-e.early || d > e.slack {
			e.Errorf("created at %v, want about %v", first.Created, start)
		}
		if !second.Created.Equal(first.Created) {
			e.Errorf("created at %v, then at %v", first.Created, second.Created)
		}
		if d := second.Modified.Sub(first.Created); d < e.ticks(1)-e.early-time.Millisecond || d > e.ticks(1)+e.slack {
			e.Errorf("modified %v after its creation, want a tick", d)
		}
		if first.Modified.Before(first.Created) {
			e.Errorf("modified at %v, before its creation at %v", first.Modified, first.Created)
		}
	}},
	{name: "a changed delivery delay applies to later sends", needs: control, run: func(e *env) {
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = e.ticks(1) })
		e.send(q, "a")
		e.configure(q, func(s *adapter.Settings) { s.DeliveryDelay = 0 })
		e.send(q, "b")
		e.take(q, "b")
		e.sleep(1.3)
		e.take(q, "a")
	}},
}

func (e *env) other() adapter.Settings {
	e.send("other", "a")
	return e.queue("other").Settings
}
