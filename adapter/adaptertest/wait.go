package adaptertest

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// waitTests: how long Receive waits with nothing ready, and what wakes it.
var waitTests = []test{
	{name: "without Wait it returns at once", run: func(e *env) {
		start := time.Now()
		e.take("nowhere")
		e.send(q, "a")
		e.take(q, "a")
		e.take(q)
		e.took(start, 0)
	}},
	{name: "with none it returns after Wait", run: func(e *env) {
		e.send(q, "leased")
		e.take(q, "leased")
		for _, queue := range []string{q, "nowhere"} {
			start := time.Now()
			e.bodies(e.receiveWith(queue, adapter.ReceiveOptions{Max: 2, Wait: e.ticks(2), Linger: e.ticks(1)}))
			e.took(start, 2)
		}
	}},
	{name: "a queue that does not exist is waited for", run: func(e *env) {
		start := time.Now()
		e.at(1, func() { e.send("new", "a") })
		e.bodies(e.receiveWith("new", adapter.ReceiveOptions{Wait: e.ticks(100)}), "a")
		e.took(start, 1)
	}},
	{name: "a send wakes", run: func(e *env) {
		e.wakes(1, func() { e.send(q, "x") })
	}},
	{name: "a due message wakes", run: func(e *env) {
		e.sendMessages(q, delayed(e.ticks(2), "x"))
		e.wakes(2, func() {})
	}},
	{name: "a message due sooner than another wakes", run: func(e *env) {
		e.sendMessages(q, delayed(e.ticks(50), "y"))
		e.wakes(2, func() { e.sendMessages(q, delayed(e.ticks(1), "x")) })
	}},
	{name: "an expired lease wakes", run: func(e *env) {
		e.send(q, "x")
		e.bodies(e.receiveWith(q, adapter.ReceiveOptions{Lease: e.ticks(2)}), "x")
		e.wakes(2, func() {})
	}},
	{name: "a retry wakes", run: func(e *env) {
		e.send(q, "x")
		ds := e.take(q, "x")
		e.wakes(1, func() { e.settle(q, retry(0, ds...)...) })
	}},
	{name: "a delayed retry wakes when due", run: func(e *env) {
		e.send(q, "x")
		ds := e.take(q, "x")
		e.wakes(2, func() { e.settle(q, retry(e.ticks(1), ds...)...) })
	}},
	{name: "a move wakes", run: func(e *env) {
		e.send("source", "x")
		ds := e.take("source", "x")
		e.wakes(1, func() { e.settle("source", move(q, ds...)...) })
	}},
	{name: "resuming is not needed to wake what waits elsewhere", needs: control, run: func(e *env) {
		e.configure("paused", func(s *adapter.Settings) { s.Paused = true })
		e.wakes(1, func() { e.send(q, "x") })
	}},
	{name: "one message wakes one waiter", run: func(e *env) {
		if got := e.waiters(5, func() { e.send(q, "x") }); got != 1 {
			e.Errorf("%d deliveries of one message", got)
		}
	}},
	{name: "as many messages wake every waiter", run: func(e *env) {
		start := time.Now()
		if got := e.waiters(5, func() { e.send(q, numbered("m", 5)...) }); got != 5 {
			e.Errorf("%d of 5 messages were delivered", got)
		}
		e.took(start, 1)
	}},
}

// wakes checks that a waiting Receive gets "x" after n ticks, do being called
// after one.
func (e *env) wakes(n float64, do func()) {
	e.Helper()
	start := time.Now()
	e.at(1, do)
	ds := e.receiveWith(q, adapter.ReceiveOptions{Max: 10, Wait: e.ticks(100)})
	e.took(start, n)
	e.bodies(ds, "x")
}

// waiters lets n calls wait for one message each, calls do after a tick, and
// returns how many messages they got.
func (e *env) waiters(n int, do func()) int64 {
	var got atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			got.Add(int64(len(e.receiveWith(q, adapter.ReceiveOptions{Wait: e.ticks(5), Lease: e.ticks(3600)}))))
		})
	}
	e.at(1, do)
	wg.Wait()
	return got.Load()
}
