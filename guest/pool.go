package guest

import "sync"

// idle is how many instances at most wait for events.
const idle = 64

// pool keeps the instances that were rewound, the last used on top: its pages
// are warm.
type pool struct {
	mu     sync.Mutex
	free   []*instance
	making bool      // one is being made to replace one that was thrown away
	made   sync.Cond // that is over; mu is its lock
	closed bool
}

func (l *pool) take() *instance {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := len(l.free)
	if n == 0 {
		return nil
	}
	in := l.free[n-1]
	l.free = l.free[:n-1]
	return in
}

// put keeps an instance, unless there are enough.
func (l *pool) put(in *instance) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || len(l.free) >= idle {
		return false
	}
	l.free = append(l.free, in)
	return true
}

// refill makes an instance in the background where none is left, one at a time.
// If it cannot be made the next event learns why.
func (l *pool) refill(make func() (*instance, error)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.making || len(l.free) > 0 {
		return
	}
	l.making = true
	go func() {
		in, err := make()
		if err == nil && !l.put(in) {
			in.close()
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		l.making = false
		l.made.Broadcast()
	}()
}

// close ends the instances that wait.
func (l *pool) close() {
	l.mu.Lock()
	l.closed = true
	l.made.L = &l.mu
	for l.making {
		l.made.Wait()
	}
	l.mu.Unlock()
	for in := l.take(); in != nil; in = l.take() {
		in.close()
	}
}
