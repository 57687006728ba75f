package guest

import (
	"context"
	"errors"
	"sync"
)

var (
	errClosed  = errors.New("the program is closed")
	errRunning = errors.New("guest: events are still running, their program is left as it is")
)

// running counts a program's events, so that what they stand on is not taken
// from under them.
type running struct {
	mu     sync.Mutex
	events int
	closed bool
	none   chan struct{} // closed with the last event, once Close waits for it
}

// enter counts one event more, unless the program is closed.
func (r *running) enter() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	r.events++
	return true
}

func (r *running) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events--
	if r.events == 0 && r.none != nil {
		close(r.none)
	}
}

// close lets no event in any more and waits for those inside, errRunning where
// ctx ends first. A second call has nothing to do.
func (r *running) close(ctx context.Context) (again bool, err error) {
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return true, nil
	}
	r.closed = true
	if r.events == 0 {
		r.mu.Unlock()
		return false, nil
	}
	r.none = make(chan struct{})
	r.mu.Unlock()
	select {
	case <-r.none:
		return false, nil
	case <-ctx.Done():
		return false, errRunning
	}
}
