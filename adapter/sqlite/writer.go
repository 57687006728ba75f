package sqlite

import (
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// writer is the goroutine that has the store. Whatever waits for it goes into
// one transaction, so that callers share the wait for the disk.
type writer struct {
	mu      sync.Mutex
	pending []*request
	closing bool
	pruning bool // a request was withdrawn
	wake    chan struct{}
	ended   chan struct{}
	err     error // of closing the connection, to be read after ended

	// The rest belongs to the goroutine.
	store *store
	lines map[string]*line
	timer *time.Timer
	poll  poller
	tidy  tidier
}

func newWriter(db *conn, path string) *writer {
	return &writer{
		wake:  make(chan struct{}, 1),
		ended: make(chan struct{}),
		store: &store{db: db, queues: map[string]*queue{}},
		lines: map[string]*line{},
		timer: time.NewTimer(time.Hour),
		tidy:  newTidier(path),
	}
}

// offer queues a request, unless the writer is stopping.
func (w *writer) offer(r *request) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closing {
		return false
	}
	w.pending = append(w.pending, r)
	w.signal()
	return true
}

// withdrawn is called when a request was, so that it is not kept for nothing.
func (w *writer) withdrawn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pruning = true
	w.signal()
}

func (w *writer) stopped() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.closing
}

// stop ends the goroutine and waits for that. It reports whether it was the
// first to ask.
func (w *writer) stop() (first bool, err error) {
	w.mu.Lock()
	first = !w.closing
	w.closing = true
	w.signal()
	w.mu.Unlock()
	<-w.ended
	return first, w.err
}

func (w *writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// busy reports whether there is something to do.
func (w *writer) busy() bool {
	work, closing := w.asked()
	return work || closing
}

func (w *writer) asked() (work, closing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.pending) > 0 || w.pruning, w.closing
}

// What one transaction takes at most, so that it does not last long.
const (
	maxRequests = 4096
	maxTxBytes  = 16 << 20
)

// inbox takes what there is to do.
func (w *writer) inbox() (reqs []*request, closing bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, size := 0, 0
	for n < len(w.pending) && n < maxRequests && size < maxTxBytes {
		for _, m := range w.pending[n].msgs {
			size += len(m.Body)
		}
		n++
	}
	reqs, w.pending = w.pending[:n:n], w.pending[n:]
	return reqs, w.closing && len(w.pending) == 0
}

// prune forgets what was withdrawn.
func (w *writer) prune() {
	w.mu.Lock()
	if !w.pruning {
		w.mu.Unlock()
		return
	}
	w.pruning = false
	w.pending = stillOffered(w.pending)
	w.mu.Unlock()
	for name, l := range w.lines {
		if l.calls = stillOffered(l.calls); len(l.calls) == 0 {
			delete(w.lines, name)
		}
	}
}

func (w *writer) run() {
	defer close(w.ended)
	defer w.timer.Stop()
	for {
		if !w.busy() {
			w.timer.Reset(time.Until(w.alarm()))
			select {
			case <-w.wake:
			case <-w.timer.C:
			}
		}
		if w.round() {
			break
		}
	}
	w.err = w.store.db.finish()
}

// alarm is when the goroutine has to look without being asked.
func (w *writer) alarm() time.Time {
	at := w.tidy.next()
	if len(w.lines) > 0 && w.poll.next().Before(at) {
		at = w.poll.next()
	}
	for _, l := range w.lines {
		if l.alarm.Before(at) {
			at = l.alarm
		}
	}
	return at
}

// round does what there is to do, and reports whether it was the last.
func (w *writer) round() (last bool) {
	w.prune()
	ripe := w.look(time.Now())
	switch work, closing := w.asked(); {
	case work || len(ripe) > 0:
		last = w.transact(ripe)
	case closing:
		w.dismiss(adapter.ErrClosed)
		last = true
	}
	if !last {
		w.tidy.do(w)
	}
	return last
}

// begin opens a transaction, waiting while another process has one.
func (w *writer) begin() (*tx, error) {
	wait := 50 * time.Microsecond
	var limit time.Time
	for {
		t, foreign, err := w.store.begin()
		if err == nil || !busy(err) {
			w.poll.seen = w.poll.seen || foreign
			return t, err
		}
		if now := time.Now(); w.stopped() {
			if limit.IsZero() {
				limit = now.Add(5 * time.Second)
			} else if now.After(limit) {
				return nil, err
			}
		}
		w.prune()
		time.Sleep(wait)
		wait = min(2*wait, 2*time.Millisecond)
	}
}

// transact runs one transaction with the requests that have come and the lines
// that are ripe.
func (w *writer) transact(ripe []string) (last bool) {
	t, err := w.begin()
	reqs, last := w.inbox()
	b := w.sort(reqs)
	b.lines = append(b.lines, ripe...)
	if last {
		w.dismiss(adapter.ErrClosed)
	}
	if err != nil {
		w.fail(b, err)
		return last
	}
	w.perform(t, b)
	return last
}
