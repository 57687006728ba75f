package consumer_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

const hammered = 600

// Handlers that ack, retry, release, fail and panic as they please, a store
// that fails before, after and in the middle of what it is told, and consumers
// that come and go: each message is delivered with the attempts it has used,
// and settled for good exactly once.
func TestHammer(t *testing.T) {
	onEachStore(t, func(t *testing.T, r *rig) {
		m := &model{t: t, messages: make(map[string]*fate)}
		r.onReceive, r.onExtend, r.onSettle = m.receive, m.extend, m.settle(r.Adapter)
		c := prompt(r.config(nil))
		c.Handler = m.handle
		c.MaxBatchSize, c.MaxConcurrency, c.MaxRetries, c.RetryDelay, c.DeadLetter = 7, 6, new(2), 3*s, "dead"
		c.Alone = func(d adapter.Delivery) bool { return name(d)[len(name(d))-1] == '3' }
		steady := r.run(c)
		go func() {
			for sent := names(hammered); len(sent) > 0; {
				n := min(1+rand.IntN(30), len(sent))
				r.sendAfter(adapter.After(rand.N(3*s)), sent[:n]...)
				sent = sent[n:]
				time.Sleep(rand.N(2 * s))
			}
		}()
		for range 20 {
			guest := r.run(c)
			time.Sleep(rand.N(time.Minute))
			if err := guest.stop(); err != nil {
				t.Error(err)
			}
		}
		for range 500 { // that is ample
			if m.over() {
				break
			}
			time.Sleep(time.Minute)
		}
		if err := steady.stop(); err != nil {
			t.Error(err)
		}
		m.check(r)
	})
}

// model is what must have become of the messages.
type model struct {
	t        *testing.T
	mu       sync.Mutex
	messages map[string]*fate
	refused  map[adapter.Lease]int
}

// fate is one message's.
type fate struct {
	attempts int // that the next delivery is to carry, less one
	acked    bool
	dead     bool
	running  bool
}

func (m *model) handle(ctx context.Context, b *batch.Batch) (err error) {
	m.begin(b)
	defer func() {
		v := recover()
		m.end(b, v != nil || err != nil || ctx.Err() != nil)
		if v != nil {
			panic(v)
		}
	}()
	select {
	case <-time.After(rand.N(45 * s)):
	case <-ctx.Done():
	}
	for i := range b.Len() {
		switch rand.IntN(6) {
		case 0:
			b.Ack(i)
		case 1:
			b.Retry(i, rand.N(10*s))
		case 2:
			b.Release(i, rand.N(10*s))
		}
	}
	switch rand.IntN(6) {
	case 0:
		return errHandler
	case 1:
		panic("hammer")
	}
	return ctx.Err()
}

func (m *model) begin(b *batch.Batch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range b.Deliveries() {
		f := m.messages[name(d)]
		if f == nil {
			f = &fate{}
			m.messages[name(d)] = f
		}
		if f.running || f.acked || f.dead || d.Attempts != f.attempts+1 {
			m.t.Errorf("message %s is delivered as attempt %d: %+v", name(d), d.Attempts, *f)
		}
		f.running = true
	}
}

func (m *model) end(b *batch.Batch, failed bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, d := range b.Deliveries() {
		f := m.messages[name(d)]
		f.running = false
		switch v := b.Mark(i).Verb; {
		case v == batch.Released:
		case v == batch.Acked, v == batch.Unmarked && !failed:
			f.acked = true
		default:
			f.attempts++
			f.dead = f.attempts == 3
		}
	}
}

func (m *model) receive(_ adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error) {
	if rand.IntN(4) == 0 {
		return nil, errOutage
	}
	return next()
}

func (m *model) extend(_ context.Context, _ []adapter.Lease, next func() error) error {
	switch rand.IntN(4) {
	case 0:
		return errOutage
	case 1:
		if err := next(); err != nil {
			return err
		}
		return errOutage
	}
	return next()
}

// settle fails at most three times in a row for one batch: before it did
// anything, after all of it, or in the middle.
func (m *model) settle(a adapter.Adapter) func([]adapter.Settlement, func() error) error {
	m.refused = make(map[adapter.Lease]int)
	return func(list []adapter.Settlement, next func() error) error {
		m.mu.Lock()
		m.refused[list[0].Lease]++
		tries := m.refused[list[0].Lease]
		m.mu.Unlock()
		if tries > 3 {
			return next()
		}
		switch rand.IntN(6) {
		case 0:
			return errOutage
		case 1:
			next()
			return errOutage
		case 2:
			var p adapter.PartialError
			for i, item := range list {
				err := errOutage
				if rand.IntN(2) == 0 {
					err = a.Settle(context.Background(), "q", item)
				}
				if err != nil {
					p.Items = append(p.Items, adapter.ItemError{Index: i, Err: itemError(err)})
				}
			}
			return &p
		}
		return next()
	}
}

// itemError is what a PartialError of one item has in it.
func itemError(err error) error {
	if p, ok := err.(*adapter.PartialError); ok {
		return p.Items[0].Err
	}
	return err
}

// over reports whether all messages were sent and settled.
func (m *model) over() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, f := range m.messages {
		if f.running || !f.acked && !f.dead {
			return false
		}
	}
	return len(m.messages) == hammered
}

func (m *model) check(r *rig) {
	m.t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	acked, dead := 0, 0
	for n, f := range m.messages {
		switch {
		case f.acked:
			acked++
		case f.dead:
			dead++
		default:
			m.t.Errorf("message %s is left: %+v", n, *f)
		}
	}
	if acked+dead != hammered || acked == 0 || dead == 0 {
		m.t.Errorf("%d acked and %d dead of %d", acked, dead, hammered)
	}
	r.left("q", adapter.Stats{})
	r.left("dead", adapter.Stats{Ready: int64(dead)})
	if c := r.told(); c.Acked != acked || c.Moved != dead || c.Lost+c.Unsettled+c.Deleted != 0 || c.Released == 0 {
		m.t.Errorf("Observe was told %+v; %d acked, %d dead", c, acked, dead)
	}
}
