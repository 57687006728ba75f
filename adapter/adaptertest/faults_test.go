package adaptertest_test

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// faulty is a sound engine with hooks for what goes in and what comes out.
type faulty struct {
	adapter.Adapter
	sent      func([]adapter.Message) []adapter.Message
	asked     func(adapter.ReceiveOptions) adapter.ReceiveOptions
	received  func([]adapter.Delivery)
	settled   func([]adapter.Settlement) []adapter.Settlement
	answered  func(error) error
	claimed   func(*adapter.Capabilities)
	configure func(*adapter.Settings)
	context   func(context.Context) context.Context
}

func (f *faulty) ctx(ctx context.Context) context.Context {
	if f.context != nil {
		return f.context(ctx)
	}
	return ctx
}

func (f *faulty) Send(ctx context.Context, queue string, msgs ...adapter.Message) error {
	if f.sent != nil {
		msgs = f.sent(slices.Clone(msgs))
	}
	return f.Adapter.Send(f.ctx(ctx), queue, msgs...)
}

func (f *faulty) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	if f.asked != nil {
		o = f.asked(o)
	}
	ds, err := f.Adapter.Receive(f.ctx(ctx), queue, o)
	if f.received != nil {
		f.received(ds)
	}
	return ds, err
}

func (f *faulty) Settle(ctx context.Context, queue string, s ...adapter.Settlement) error {
	if f.settled != nil {
		s = f.settled(slices.Clone(s))
	}
	err := f.Adapter.Settle(f.ctx(ctx), queue, s...)
	if f.answered != nil {
		err = f.answered(err)
	}
	return err
}

func (f *faulty) Configure(ctx context.Context, queue string, change func(*adapter.Settings)) error {
	return f.Adapter.Configure(f.ctx(ctx), queue, func(s *adapter.Settings) {
		change(s)
		if f.configure != nil {
			f.configure(s)
		}
	})
}

func (f *faulty) Capabilities() adapter.Capabilities {
	c := f.Adapter.Capabilities()
	if f.claimed != nil {
		f.claimed(&c)
	}
	return c
}

// each returns a hook that changes every element.
func each[T any](change func(*T)) func([]T) []T {
	return func(list []T) []T {
		for i := range list {
			change(&list[i])
		}
		return list
	}
}

// fault is one way to break the contract and the case that must find it.
type fault struct {
	found string // group/case, by the beginnings of their names
	build func(adapter.Adapter) adapter.Adapter
}

func hooked(found string, f faulty) fault {
	return fault{found, func(a adapter.Adapter) adapter.Adapter {
		broken := f
		broken.Adapter = a
		return &broken
	}}
}

var faults = map[string]fault{
	"reverses a send": hooked("send/first in", faulty{sent: func(ms []adapter.Message) []adapter.Message {
		slices.Reverse(ms)
		return ms
	}}),
	"takes an explicit zero for none": hooked("delay/no delay means", faulty{sent: each(func(m *adapter.Message) {
		if m.Delay == adapter.After(0) {
			m.Delay = adapter.Delay{}
		}
	})}),
	"ignores delays":     hooked("delay/a delayed message", faulty{sent: each(func(m *adapter.Message) { m.Delay = adapter.Delay{} })}),
	"loses types":        hooked("send/bodies and types", faulty{sent: each(func(m *adapter.Message) { m.Type = adapter.Bytes })}),
	"counts attempts ×1": hooked("lease/an expired lease", faulty{received: changed(func(d *adapter.Delivery) { d.Attempts = 1 })}),
	"renews the enqueue time": hooked("lease/id, enqueue time", faulty{received: changed(func(d *adapter.Delivery) {
		d.Enqueued = time.Now().Truncate(time.Millisecond)
	})}),
	"has microseconds": hooked("send/enqueued is the time", faulty{received: changed(func(d *adapter.Delivery) {
		d.Enqueued = d.Enqueued.Add(time.Microsecond)
	})}),
	"has upper-case ids": hooked("send/ids are", faulty{received: changed(func(d *adapter.Delivery) { d.ID = "A" + d.ID[1:] })}),
	"forgets the origin": hooked("move/keeps id", faulty{received: changed(func(d *adapter.Delivery) { d.Origin = adapter.Origin{} })}),
	"leaves room behind bodies": hooked("receive/the slice is", faulty{received: func(ds []adapter.Delivery) {
		var all []byte
		for _, d := range ds {
			all = append(all, d.Body...)
		}
		for i := range ds {
			n := len(ds[i].Body)
			ds[i].Body, all = all[:n], all[n:]
		}
	}}),
	"ignores Max":    hooked("receive/Max is a limit", faulty{asked: func(o adapter.ReceiveOptions) adapter.ReceiveOptions { o.Max *= 2; return o }}),
	"ignores Linger": hooked("linger/12 messages", faulty{asked: func(o adapter.ReceiveOptions) adapter.ReceiveOptions { o.Linger = 0; return o }}),
	"ignores Wait":   hooked("wait/a send wakes", faulty{asked: func(o adapter.ReceiveOptions) adapter.ReceiveOptions { o.Wait = 0; return o }}),
	"leases too long": hooked("lease/not before", faulty{asked: func(o adapter.ReceiveOptions) adapter.ReceiveOptions {
		o.Lease += 5 * time.Second
		return o
	}}),
	"counts a release": hooked("uncounted/the next delivery", faulty{settled: each(func(s *adapter.Settlement) { s.Uncounted = false })}),
	"counts no retry":  hooked("settle/attempts count", faulty{settled: each(func(s *adapter.Settlement) { s.Uncounted = true })}),
	"ignores a retry's delay": hooked("settle/retry waits", faulty{settled: each(func(s *adapter.Settlement) {
		s.Delay = 0
	})}),
	"retries one by one": hooked("settle/retried together", faulty{settled: func(list []adapter.Settlement) []adapter.Settlement {
		for i := range list {
			list[i].Delay += time.Duration(i) * time.Millisecond
		}
		return list
	}}),
	"acks what it does not know": hooked("settle/an unknown action", faulty{settled: each(func(s *adapter.Settlement) {
		if s.Do > adapter.Move {
			s.Do = adapter.Ack
		}
	})}),
	"hides lost leases": hooked("lost/a second settle", faulty{answered: func(err error) error {
		if errors.Is(err, adapter.ErrLeaseLost) {
			return nil
		}
		return err
	}}),
	"names no items": hooked("lost/the others", faulty{answered: func(err error) error {
		if errors.Is(err, adapter.ErrLeaseLost) {
			return adapter.ErrLeaseLost
		}
		return err
	}}),
	"keeps nothing it acks from coming back": hooked("hammer/no loss", faulty{settled: each(func(s *adapter.Settlement) {
		if s.Lease[3]%8 == 0 && s.Do == adapter.Ack {
			s.Do = adapter.Retry
		}
	})}),
	"acks some retries": hooked("hammer/no loss", faulty{settled: each(func(s *adapter.Settlement) {
		if s.Lease[3]%8 == 0 {
			s.Do = adapter.Ack
		}
	})}),
	"ignores retention":         hooked("retention/what is older", faulty{configure: func(s *adapter.Settings) { s.Retention = 0 }}),
	"ignores a pause":           hooked("pause/Receive says", faulty{configure: func(s *adapter.Settings) { s.Paused = false }}),
	"ignores contexts":          hooked("context/one that has ended", faulty{context: context.WithoutCancel}),
	"claims Durable":            hooked("capabilities/Durable: all", faulty{claimed: func(c *adapter.Capabilities) { c.Durable = true }}),
	"claims Shared":             hooked("capabilities/Shared: adapters", faulty{claimed: func(c *adapter.Capabilities) { c.Shared = true }}),
	"claims a longest delay":    hooked("capabilities/MaxDelay", faulty{claimed: func(c *adapter.Capabilities) { c.MaxDelay = time.Hour }}),
	"claims a largest send":     hooked("capabilities/MaxSend", faulty{claimed: func(c *adapter.Capabilities) { c.MaxSend = 50 }}),
	"claims to have no Control": hooked("capabilities/Control", faulty{claimed: func(c *adapter.Capabilities) { c.Control = false }}),

	"sends one by one":          {"send/a send becomes visible", func(a adapter.Adapter) adapter.Adapter { return oneByOne{a} }},
	"keeps the caller's bodies": {"send/copies bodies", func(a adapter.Adapter) adapter.Adapter { return &keeper{Adapter: a} }},
	"prefetches":                {"receive/leases exactly", func(a adapter.Adapter) adapter.Adapter { return &prefetcher{Adapter: a} }},
	"lingers from the call":     {"linger/counts from when", func(a adapter.Adapter) adapter.Adapter { return lateLinger{a} }},
	"refuses late settles": {"late/a late ack", func(a adapter.Adapter) adapter.Adapter {
		return &punctual{Adapter: a, ends: map[adapter.Lease]time.Time{}}
	}},
	"moves in two steps":          {"move/is never in both", func(a adapter.Adapter) adapter.Adapter { return twoSteps{a} }},
	"extends nothing":             {"lease/Extend keeps", func(a adapter.Adapter) adapter.Adapter { return deaf{a} }},
	"leases what it peeks":        {"peek/leases nothing", func(a adapter.Adapter) adapter.Adapter { return grabber{a} }},
	"loses changes of settings":   {"settings/concurrent", func(a adapter.Adapter) adapter.Adapter { return forgetful{a} }},
	"does not count leased ones":  {"stats/follow", func(a adapter.Adapter) adapter.Adapter { return uncounting{a} }},
	"lists queues out of order":   {"control/Queues lists", func(a adapter.Adapter) adapter.Adapter { return disorderly{a} }},
	"deletes messages only":       {"control/Delete removes", func(a adapter.Adapter) adapter.Adapter { return undeleting{a} }},
	"purges what it has not":      {"purge/ids that are", func(a adapter.Adapter) adapter.Adapter { return boaster{a} }},
	"does not wake at its end":    {"close/wakes waiting", func(a adapter.Adapter) adapter.Adapter { return &sleeper{Adapter: a} }},
	"folds the case of names":     {"names/any UTF-8", func(a adapter.Adapter) adapter.Adapter { return folding{a} }},
	"delivers twice now and then": {"hammer/no loss", func(a adapter.Adapter) adapter.Adapter { return &doubler{Adapter: a} }},
}

func changed(change func(*adapter.Delivery)) func([]adapter.Delivery) {
	return func(ds []adapter.Delivery) { each(change)(ds) }
}
