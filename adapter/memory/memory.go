// Package memory is the queue engine that lives in the process and ends with
// it: the fastest one, for tests, for development, and for work that may be
// lost. It imports nothing of this project but package adapter, and takes
// every time from package time, so that it works in testing/synctest bubbles.
package memory

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"math"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Adapter is a store in memory. One mutex guards all of it: what happens
// under it is short, since bodies are packed before and deliveries are made
// after.
type Adapter struct {
	start  time.Time       // moments are nanoseconds since
	prefix [idLen / 2]byte // of every id

	mu     sync.Mutex
	closed bool
	now    int64 // the latest moment seen: a moment never lies before another's
	sent   uint64
	queues map[string]*queue // those that exist, and those that are waited for
}

var _ adapter.Adapter = (*Adapter)(nil)

// Open returns an empty store.
func Open() *Adapter {
	a := &Adapter{start: time.Now(), queues: map[string]*queue{}}
	var b [8]byte
	rand.Read(b[:]) // never fails
	hex.Encode(a.prefix[:], b[:])
	return a
}

// Capabilities says that all is promised that a single process can.
func (a *Adapter) Capabilities() adapter.Capabilities {
	return adapter.Capabilities{
		AtomicMove:    true,
		Fenced:        true,
		LateSettle:    true,
		KeepsIdentity: true,
		Control:       true,
	}
}

// Close ends waiting calls and frees all messages.
func (a *Adapter) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closed = true
	for _, q := range a.queues {
		q.release(adapter.ErrClosed)
	}
	a.queues = nil
	return nil
}

// lock takes the mutex and returns the present moment, unless ctx has ended
// or the store is closed.
func (a *Adapter) lock(ctx context.Context) (now int64, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	return a.lockAt(int64(time.Since(a.start)))
}

// lockAt is lock with a moment read before: the later of it and the latest
// seen, so that moments are in the order of the calls.
func (a *Adapter) lockAt(now int64) (int64, error) {
	a.mu.Lock()
	if a.closed {
		a.mu.Unlock()
		return 0, adapter.ErrClosed
	}
	a.now = max(a.now, now)
	return a.now, nil
}

// existing returns the queue brought up to now, or ErrQueueNotFound.
func (a *Adapter) existing(name string, now int64) (*queue, error) {
	q := a.queues[name]
	if q == nil || !q.exists {
		return nil, adapter.ErrQueueNotFound
	}
	q.advance(now)
	return q, nil
}

// created returns the queue brought up to now, which it creates if need be.
func (a *Adapter) created(name string, now int64) *queue {
	q := a.waited(name)
	if !q.exists {
		q.exists = true
		q.created = a.start.Add(time.Duration(now))
		q.modified = q.created
		q.keep = q.settings.Keep()
	}
	q.advance(now)
	return q
}

// waited returns the queue, or a place to wait for it.
func (a *Adapter) waited(name string) *queue {
	q := a.queues[name]
	if q == nil {
		q = &queue{a: a, name: name, waiting: waiting{alarm: never}}
		a.queues[name] = q
	}
	return q
}

// never is later than every moment.
const never = math.MaxInt64

// after returns the moment d after t.
func after(t int64, d time.Duration) int64 {
	if d <= 0 {
		return t
	}
	if s := t + int64(d); s >= t {
		return s
	}
	return never
}
