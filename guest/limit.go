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
	callers        bool // that is the caller's own deadline

	mu     sync.Mutex
	err    error           // once there is one it stays
	timed  context.Context // with the channel, once asked for
	cancel context.CancelFunc
}

func newLimit(ctx context.Context, d time.Duration) *limit {
	l := &limit{Context: hostfn.Context{Context: ctx}, until: time.Now().Add(d)}
	if t, ok := ctx.Deadline(); ok && t.Before(l.until) {
		l.until, l.callers = t, true
	}
	return l
}

// initial returns a context of its own, without an event, for making an instance
// with the given world within the same limit.
func (l *limit) initial(world context.Context) *limit {
	return &limit{Context: hostfn.Context{Context: l.Context.Context}, world: world, until: l.until, callers: l.callers}
}

// Deadline implements context.Context.
func (l *limit) Deadline() (time.Time, bool) { return l.until, true }

// Done implements context.Context.
func (l *limit) Done() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.timed == nil {
		l.timed, l.cancel = context.WithDeadline(&l.Context, l.until)
		if l.err != nil {
			l.cancel()
		}
	}
	return l.timed.Done()
}

// Err implements context.Context.
func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.errLocked()
}

func (l *limit) errLocked() error {
	switch {
	case l.err != nil:
	case l.timed != nil:
		l.err = l.timed.Err()
	case l.Context.Err() != nil:
		l.err = l.Context.Err()
	case !time.Now().Before(l.until):
		l.err = context.DeadlineExceeded
	}
	return l.err
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

// end frees what the context holds. It counts as cancelled from then on, if it
// had not ended before.
func (l *limit) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.errLocked() == nil {
		l.err = context.Canceled
	}
	if l.cancel != nil {
		l.cancel()
	}
}
