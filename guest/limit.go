package guest

import (
	"context"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/hostfn"
)

// limit is the context of one event: the caller's, with the event, its time limit
// and the instance's WASI world. An event is over in microseconds and most have
// nobody who waits for their end, so the timer and the channel are made only
// when they are asked for.
type limit struct {
	hostfn.Context                 // the caller's, and the event once the guest runs
	world          context.Context // of the instance; set before the guest runs
	until          time.Time

	mu     sync.Mutex
	ended  bool
	timed  context.Context // with the channel, once asked for
	cancel context.CancelFunc
}

func newLimit(ctx context.Context, d time.Duration) *limit {
	l := &limit{Context: hostfn.Context{Context: ctx}, until: time.Now().Add(d)}
	if t, ok := ctx.Deadline(); ok && t.Before(l.until) {
		l.until = t
	}
	return l
}

// Deadline implements context.Context.
func (l *limit) Deadline() (time.Time, bool) { return l.until, true }

// Done implements context.Context.
func (l *limit) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed == nil {
		l.timed, l.cancel = context.WithDeadline(&l.Context, l.until)
		if l.ended {
			l.cancel()
		}
	}
	return l.timed.Done()
}

// Err implements context.Context. Where a channel was asked for, both agree.
func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.timed != nil:
		return l.timed.Err()
	case l.ended:
		return context.Canceled
	}
	if err := l.Context.Err(); err != nil {
		return err
	}
	if !time.Now().Before(l.until) {
		return context.DeadlineExceeded
	}
	return nil
}

// Value implements context.Context.
func (l *limit) Value(key any) any {
	if l.world != nil {
		if v := l.world.Value(key); v != nil {
			return v
		}
	}
	return l.Context.Value(key)
}

// end frees what the context holds. It counts as cancelled from then on.
func (l *limit) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.cancel != nil {
		l.cancel()
	}
}
