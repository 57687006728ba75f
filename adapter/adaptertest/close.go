package adaptertest

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

func (e *env) close(a adapter.Adapter) {
	e.Helper()
	if err := a.Close(); err != nil {
		e.Errorf("Close: %v", err)
	}
}

var closeTests = []test{
	{name: "wakes waiting and lingering calls", run: func(e *env) {
		e.send("lingered", "a")
		start := time.Now()
		errs := make(chan error, 4)
		for i := range cap(errs) {
			go func() {
				_, err := e.a.Receive(e.ctx, []string{q, "lingered"}[i%2], adapter.ReceiveOptions{Max: 2, Wait: e.ticks(50), Linger: e.ticks(50)})
				errs <- err
			}()
		}
		e.sleep(1)
		e.close(e.a)
		for range cap(errs) {
			e.failed("Receive", <-errs, adapter.ErrClosed)
		}
		e.took(start, 1)
	}},
	{name: "afterwards every call says so", run: func(e *env) {
		e.send(q, "a")
		ds := e.receive(q, 1)
		e.close(e.a)
		for name, call := range e.calls(e.ctx, ds[0].Lease) {
			e.failed(name, call(), adapter.ErrClosed)
		}
		if got := e.a.Capabilities(); got != e.caps {
			e.Errorf("capabilities %+v, want %+v as before", got, e.caps)
		}
	}},
	{name: "a second time does nothing", run: func(e *env) {
		for range 3 {
			e.close(e.a)
		}
	}},
	{name: "while calls run", run: func(e *env) {
		var sent atomic.Int64
		var wg sync.WaitGroup
		stop := func(what string, err error) bool {
			if err != nil && !errors.Is(err, adapter.ErrClosed) {
				e.Errorf("%s: error %v, want ErrClosed or none", what, err)
			}
			return err != nil
		}
		for range 4 {
			wg.Go(func() {
				for !stop("Send", e.a.Send(e.ctx, q, texts("a", "b")...)) {
					sent.Add(2)
					e.sleep(0.001)
				}
			})
			wg.Go(func() {
				for {
					ds, err := e.a.Receive(e.ctx, "never", adapter.ReceiveOptions{Max: 3, Wait: e.ticks(0.002)})
					if stop("Receive", err) {
						return
					}
					if stop("Settle", e.a.Settle(e.ctx, "never", ack(ds...)...)) {
						return
					}
				}
			})
		}
		e.sleep(0.5)
		e.close(e.a)
		wg.Wait()
		if !e.caps.Durable {
			return
		}
		// What was acknowledged is there, and nothing more than was asked for.
		e.a = e.open()
		n := int64(len(e.receive(q, 1<<20)))
		if low := sent.Load(); n < low || n > low+8 || n%2 != 0 {
			e.Errorf("%d messages are there, want the %d acknowledged, and of each send all or none", n, low)
		}
	}},
}
