package adaptertest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// hammerTests run many senders and workers at once; the second on the real
// clock also for engines whose other cases run in bubbles.
var hammerTests = []test{
	{name: "no loss, no phantom, one holder, exact attempts", run: func(e *env) { hammer(e, e.tick) }},
	{name: "the same on the real clock", realTime: true, run: func(e *env) { hammer(e, 100*time.Millisecond) }},
}

// holding is one delivery's story: from the call's return until its lease can
// have ended at the earliest, nobody else may hold the message.
type holding struct {
	attempts    int
	from, until time.Time
	acked       bool
	released    bool
}

// world is what the test knows: all deliveries of each message, by body.
type world struct {
	*env
	lease  time.Duration
	unsent atomic.Int64 // senders at work
	open   atomic.Int64 // messages not acked yet
	mu     sync.Mutex
	all    map[string][]*holding
}

func hammer(e *env, lease time.Duration) {
	const senders, workers, batches = 4, 8, 30
	w := &world{env: e, lease: lease, all: map[string][]*holding{}}
	w.unsent.Store(senders)
	var wg sync.WaitGroup
	for s := range senders {
		r := rand.New(rand.NewPCG(7, uint64(s)))
		wg.Go(func() {
			for b := range batches {
				w.send(r, fmt.Sprintf("%d/%d/", s, b))
			}
			w.unsent.Add(-1)
		})
	}
	stop := time.Now().Add(20*lease + 10*time.Second)
	for i := range workers {
		r := rand.New(rand.NewPCG(11, uint64(i)))
		wg.Go(func() {
			for (w.unsent.Load() > 0 || w.open.Load() > 0) && time.Now().Before(stop) {
				w.work(r)
			}
		})
	}
	wg.Wait()
	for body, hs := range w.all {
		if err := verify(hs); err != nil {
			e.Errorf("%s: %v", body, err)
		}
	}
	time.Sleep(2 * lease)
	e.take(q)
	e.counts(q, 0, 0, 0)
}

func (w *world) send(r *rand.Rand, name string) {
	ms := texts(numbered(name, 1+r.IntN(12))...)
	w.mu.Lock()
	for i := range ms {
		if r.IntN(4) == 0 {
			ms[i].Delay = adapter.After(time.Duration(r.Int64N(int64(w.lease))))
		}
		w.all[string(ms[i].Body)] = nil
	}
	w.mu.Unlock()
	w.open.Add(int64(len(ms)))
	w.sendMessages(q, ms...)
}

// work receives once and settles what it got in random ways, some of it late.
func (w *world) work(r *rand.Rand) {
	o := adapter.ReceiveOptions{Max: 1 + r.IntN(20), Lease: w.lease, Wait: w.lease / 4}
	if r.IntN(3) == 0 {
		o.Linger = w.lease / 20
	}
	start := time.Now()
	ds := w.receiveWith(q, o)
	hs := w.received(ds, start)
	if r.IntN(4) == 0 {
		w.extendAll(ds, hs)
	}
	if r.IntN(6) == 0 {
		time.Sleep(time.Duration(r.Int64N(int64(2 * w.lease))))
	}
	var s []adapter.Settlement
	var of []*holding
	for i, d := range ds {
		switch r.IntN(8) {
		case 0: // its lease runs out
			continue
		case 1, 2:
			s = append(s, retry(time.Duration(r.Int64N(int64(w.lease/2))), d)...)
		case 3:
			s = append(s, release(0, d)...)
		default:
			s = append(s, ack(d)...)
		}
		of = append(of, hs[i])
	}
	w.settleAll(s, of)
}

func (w *world) received(ds []adapter.Delivery, start time.Time) []*holding {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	hs := make([]*holding, len(ds))
	for i, d := range ds {
		if _, ok := w.all[string(d.Body)]; !ok {
			w.Errorf("%q is a phantom", d.Body)
		}
		hs[i] = &holding{attempts: d.Attempts, from: now, until: start.Add(w.lease)}
		w.all[string(d.Body)] = append(w.all[string(d.Body)], hs[i])
	}
	return hs
}

func (w *world) extendAll(ds []adapter.Delivery, hs []*holding) {
	start := time.Now()
	lost := w.lostItems(w.a.Extend(w.ctx, q, w.lease, leases(ds...)...))
	for i, h := range hs {
		if !lost[i] {
			h.until = start.Add(w.lease)
		}
	}
}

func (w *world) settleAll(s []adapter.Settlement, of []*holding) {
	start := time.Now()
	lost := w.lostItems(w.a.Settle(w.ctx, q, s...))
	now := time.Now()
	for i, h := range of {
		if lost[i] {
			if now.Before(h.until) {
				w.Errorf("a lease was lost before its time")
			}
			continue
		}
		if start.Before(h.until) {
			h.until = start
		}
		h.released = s[i].Uncounted
		if h.acked = s[i].Do == adapter.Ack; h.acked {
			w.open.Add(-1)
		}
	}
}

func (w *world) lostItems(err error) map[int]bool {
	var p *adapter.PartialError
	if err != nil && !errors.As(err, &p) {
		w.Errorf("error %v, want a PartialError or none", err)
	}
	if p == nil {
		return nil
	}
	lost := map[int]bool{}
	for _, it := range p.Items {
		if !errors.Is(it.Err, adapter.ErrLeaseLost) {
			w.Errorf("item %d: error %v, want ErrLeaseLost", it.Index, it.Err)
		}
		lost[it.Index] = true
	}
	return lost
}

// verify checks one message's deliveries. Each number of attempts was
// delivered once, apart from releases, which give it back; the last delivery
// is the one that was acked; no two overlap.
func verify(hs []*holding) error {
	last, acks := 0, 0
	used := map[int]int{}
	for i, h := range hs {
		last = max(last, h.attempts)
		if !h.released {
			used[h.attempts]++
		}
		if h.acked {
			acks++
		}
		for _, o := range hs[:i] {
			from, until := later(h.from, o.from), earlier(h.until, o.until)
			if from.Before(until) {
				return fmt.Errorf("two held it for %v, on attempts %d and %d", until.Sub(from), o.attempts, h.attempts)
			}
		}
	}
	if acks != 1 {
		return fmt.Errorf("%d acks were accepted in %d deliveries, want 1", acks, len(hs))
	}
	for n := 1; n <= last; n++ {
		if used[n] != 1 {
			return fmt.Errorf("attempt %d of %d was used by %d deliveries, want 1", n, last, used[n])
		}
	}
	for _, h := range hs {
		if h.acked && h.attempts != last {
			return fmt.Errorf("acked on attempt %d and delivered again as %d", h.attempts, last)
		}
	}
	return nil
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}
