package adaptertest_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Engines whose faults need more than a hook.

type oneByOne struct{ adapter.Adapter }

func (a oneByOne) Send(ctx context.Context, queue string, msgs ...adapter.Message) error {
	for _, m := range msgs {
		if err := a.Adapter.Send(ctx, queue, m); err != nil {
			return err
		}
		time.Sleep(time.Microsecond)
	}
	return nil
}

// keeper reads a send's bodies only when somebody receives.
type keeper struct {
	adapter.Adapter
	kept []adapter.Message
}

func (k *keeper) Send(_ context.Context, _ string, msgs ...adapter.Message) error {
	k.kept = append(k.kept, slices.Clone(msgs)...)
	return nil
}

func (k *keeper) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	if err := k.Adapter.Send(ctx, queue, k.kept...); err != nil {
		return nil, err
	}
	k.kept = nil
	return k.Adapter.Receive(ctx, queue, o)
}

// prefetcher leases more than it returns and returns the rest later.
type prefetcher struct {
	adapter.Adapter
	mu   sync.Mutex
	rest []adapter.Delivery
}

func (p *prefetcher) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	o = o.WithDefaults()
	if len(p.rest) == 0 {
		more := o
		more.Max *= 10
		ds, err := p.Adapter.Receive(ctx, queue, more)
		if err != nil {
			return nil, err
		}
		p.rest = ds
	}
	n := min(o.Max, len(p.rest))
	ds := p.rest[:n]
	p.rest = p.rest[n:]
	return ds, nil
}

// lateLinger starts to count when it is called.
type lateLinger struct{ adapter.Adapter }

func (l lateLinger) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	time.Sleep(o.Linger)
	o.Linger = 0
	return l.Adapter.Receive(ctx, queue, o)
}

// punctual calls a lease lost when its time has passed.
type punctual struct {
	adapter.Adapter
	ends map[adapter.Lease]time.Time
}

func (p *punctual) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	ds, err := p.Adapter.Receive(ctx, queue, o)
	for _, d := range ds {
		p.ends[d.Lease] = time.Now().Add(o.Lease)
	}
	return ds, err
}

func (p *punctual) Settle(ctx context.Context, queue string, s ...adapter.Settlement) error {
	for i, it := range s {
		if time.Now().After(p.ends[it.Lease]) {
			return &adapter.PartialError{Items: []adapter.ItemError{{Index: i, Err: adapter.ErrLeaseLost}}}
		}
	}
	return p.Adapter.Settle(ctx, queue, s...)
}

// twoSteps first takes a message out of one queue, then into the other.
type twoSteps struct{ adapter.Adapter }

func (a twoSteps) Settle(ctx context.Context, queue string, s ...adapter.Settlement) error {
	limbo := slices.Clone(s)
	for i := range limbo {
		if limbo[i].Do == adapter.Move {
			limbo[i].To = "limbo"
		}
	}
	if err := a.Adapter.Settle(ctx, queue, limbo...); err != nil {
		return err
	}
	time.Sleep(10 * time.Millisecond)
	for _, it := range s {
		if it.Do != adapter.Move {
			continue
		}
		ds, err := a.Adapter.Receive(ctx, "limbo", adapter.ReceiveOptions{})
		if err != nil {
			return err
		}
		for _, d := range ds {
			if err := a.Adapter.Settle(ctx, "limbo", adapter.Settlement{Lease: d.Lease, Do: adapter.Move, To: it.To}); err != nil {
				return err
			}
		}
	}
	return nil
}

type deaf struct{ adapter.Adapter }

func (deaf) Extend(context.Context, string, time.Duration, ...adapter.Lease) error { return nil }

type grabber struct{ adapter.Adapter }

func (g grabber) Peek(ctx context.Context, queue string, n int) ([]adapter.Delivery, error) {
	ds, err := g.Receive(ctx, queue, adapter.ReceiveOptions{Max: n})
	for i := range ds {
		ds[i].Lease = ""
	}
	return ds, err
}

// forgetful reads settings, thinks, and writes them.
type forgetful struct{ adapter.Adapter }

func (f forgetful) Configure(ctx context.Context, queue string, change func(*adapter.Settings)) error {
	var s adapter.Settings
	all, err := f.Queues(ctx)
	if err != nil {
		return err
	}
	for _, q := range all {
		if q.Name == queue {
			s = q.Settings
		}
	}
	change(&s)
	time.Sleep(time.Millisecond)
	return f.Adapter.Configure(ctx, queue, func(old *adapter.Settings) { *old = s })
}

type uncounting struct{ adapter.Adapter }

func (u uncounting) Stats(ctx context.Context, queue string) (adapter.Stats, error) {
	s, err := u.Adapter.Stats(ctx, queue)
	s.Leased = 0
	return s, err
}

type disorderly struct{ adapter.Adapter }

func (d disorderly) Queues(ctx context.Context) ([]adapter.Queue, error) {
	all, err := d.Adapter.Queues(ctx)
	slices.Reverse(all)
	return all, err
}

type undeleting struct{ adapter.Adapter }

func (u undeleting) Delete(ctx context.Context, queue string) error {
	_, err := u.Purge(ctx, queue)
	return err
}

type boaster struct{ adapter.Adapter }

func (b boaster) Purge(ctx context.Context, queue string, ids ...string) (int, error) {
	n, err := b.Adapter.Purge(ctx, queue, ids...)
	return max(n, len(ids)), err
}

// sleeper lets waiting calls wait when it is closed.
type sleeper struct {
	adapter.Adapter
	closed bool
}

func (s *sleeper) Close() error {
	if !s.closed {
		s.closed = true
		return nil
	}
	return s.Adapter.Close()
}

type folding struct{ adapter.Adapter }

func (f folding) Send(ctx context.Context, queue string, msgs ...adapter.Message) error {
	return f.Adapter.Send(ctx, strings.ToLower(queue), msgs...)
}

func (f folding) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	return f.Adapter.Receive(ctx, strings.ToLower(queue), o)
}

// doubler gives the last delivery to the next caller as well.
type doubler struct {
	adapter.Adapter
	mu    sync.Mutex
	calls int
	last  []adapter.Delivery
}

func (d *doubler) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	ds, err := d.Adapter.Receive(ctx, queue, o)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.calls++; d.calls%20 == 0 && len(d.last) > 0 {
		ds = append(ds, d.last...)
	}
	d.last = slices.Clone(ds[max(0, len(ds)-1):])
	return ds, err
}
