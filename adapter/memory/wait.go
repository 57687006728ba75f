package memory

import (
	"context"
	"slices"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// waiter is a Receive that waits. Whoever changes the queue leases on its
// behalf, so that what it gets is decided under the mutex, in the order the
// waiters came, and none is woken for nothing.
type waiter struct {
	o    adapter.ReceiveOptions
	over bool // its Wait has passed
	done chan struct{}
	// Set before done is closed.
	granted []grant
	err     error
}

// waiting are a queue's waiters and the timer for the next moment at which
// one of them may be served, though nobody calls.
type waiting struct {
	waiters []*waiter
	alarm   int64 // when timer fires, or never
	timer   *time.Timer
	// calm is how many messages may be ready before a waiter must be looked
	// for: below the least Max of those that linger; 0 where one does not.
	calm int
}

func (q *queue) wait(o adapter.ReceiveOptions) *waiter {
	w := &waiter{o: o, over: o.Wait <= 0, done: make(chan struct{})}
	q.waiting.waiters = append(q.waiting.waiters, w)
	q.waiting.calm = 0
	return w
}

// wait is Receive's second half.
func (a *Adapter) wait(ctx context.Context, q *queue, w *waiter) ([]adapter.Delivery, error) {
	var end <-chan time.Time
	if !w.over {
		timer := time.NewTimer(w.o.Wait)
		defer timer.Stop()
		end = timer.C
	}
	for {
		select {
		case <-w.done:
			return a.deliveries(w.granted, w.o.Max), w.err
		case <-ctx.Done():
			a.mu.Lock()
			q.leave(w, ctx.Err())
			a.mu.Unlock()
		case <-end:
			end = nil
			if now, err := a.lockAt(int64(time.Since(a.start))); err == nil {
				w.over = true
				q.waiting.calm = 0
				q.advance(now)
				q.wake(now)
				a.mu.Unlock()
			}
		}
	}
}

// leave ends the waiter with err, unless it was served.
func (q *queue) leave(w *waiter, err error) {
	if i := slices.Index(q.waiting.waiters, w); i >= 0 {
		q.waiting.waiters = slices.Delete(q.waiting.waiters, i, i+1)
		w.end(nil, err)
		q.tidy()
	}
}

func (w *waiter) end(granted []grant, err error) {
	w.granted, w.err = granted, err
	close(w.done)
}

// release ends all waiters with err.
func (q *queue) release(err error) {
	for _, w := range q.waiting.waiters {
		w.end(nil, err)
	}
	q.waiting.waiters = nil
	q.tidy()
}

// wake serves the waiters whose time has come and sets the timer for the
// others. Every call that changes a queue ends with it.
func (q *queue) wake(now int64) {
	ws := &q.waiting
	if len(ws.waiters) == 0 || q.undisturbed(now) {
		return
	}
	ws.waiters = slices.DeleteFunc(ws.waiters, func(w *waiter) bool {
		if !q.due(now, &w.o) {
			return false
		}
		w.end(q.take(now, &w.o, nil), nil)
		return true
	})
	ws.calm = 0
	if q.count[ready] == 0 {
		ws.waiters = slices.DeleteFunc(ws.waiters, func(w *waiter) bool {
			if w.over {
				w.end(nil, nil)
			}
			return w.over
		})
	}
	if len(ws.waiters) == 0 {
		q.tidy()
		return
	}
	next := min(q.delayed.due(), q.leased.due())
	if q.count[ready] > 0 { // then all of them linger
		next = min(next, q.ages.head.end(q.keep))
		ws.calm = ws.waiters[0].o.Max
		for _, w := range ws.waiters {
			next = min(next, after(q.ready.head.due, w.o.Linger))
			ws.calm = min(ws.calm, w.o.Max)
		}
	}
	q.arm(next)
}

// undisturbed reports whether the waiters need no look: they linger over some
// messages, still too few for each of them, and the timer is set for what is
// next.
func (q *queue) undisturbed(now int64) bool {
	n, ws := q.count[ready], &q.waiting
	return 0 < n && n < ws.calm && now < ws.alarm && min(q.delayed.due(), q.leased.due()) >= ws.alarm
}

// arm sets the timer for next. One that is set for an earlier moment stays:
// to look once too often is cheaper than to set it at every call.
func (q *queue) arm(next int64) {
	ws := &q.waiting
	if next >= ws.alarm {
		return
	}
	ws.alarm = next
	d := time.Duration(next) - time.Since(q.a.start)
	if ws.timer == nil {
		ws.timer = time.AfterFunc(d, q.ring)
		return
	}
	ws.timer.Reset(d)
}

// ring is what the timer does.
func (q *queue) ring() {
	now, err := q.a.lockAt(int64(time.Since(q.a.start)))
	if err != nil {
		return
	}
	defer q.a.mu.Unlock()
	q.waiting.alarm, q.waiting.calm = never, 0
	q.advance(now)
	q.wake(now)
}

// tidy stops the timer with the last waiter, and forgets a queue that was
// only waited for.
func (q *queue) tidy() {
	ws := &q.waiting
	if len(ws.waiters) > 0 {
		return
	}
	if ws.timer != nil {
		ws.timer.Stop()
	}
	ws.alarm = never
	if !q.exists && q.a.queues[q.name] == q {
		delete(q.a.queues, q.name)
	}
}
