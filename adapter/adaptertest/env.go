package adaptertest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// q is the queue of cases that need only one.
const q = "work"

// env is one case's world: an adapter on a fresh store, and a clock.
type env struct {
	*testing.T
	open func() adapter.Adapter
	a    adapter.Adapter
	caps adapter.Capabilities
	ctx  context.Context

	// tick is the unit of all times; early and slack are how far from the
	// promised moment a call may return.
	tick, early, slack time.Duration
}

func newEnv(t *testing.T, h Harness, bubble bool) *env {
	e := &env{T: t, tick: h.Tick, early: h.Tick / 10, slack: max(10*h.Tick, 2*time.Second)}
	limit := time.Minute
	if bubble {
		e.tick, e.early, e.slack, limit = time.Second, 0, 20*time.Millisecond, 100*time.Hour
	}
	open := h.New(t)
	e.open = func() adapter.Adapter {
		t.Helper()
		a := open()
		t.Cleanup(func() {
			if err := a.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
		return a
	}
	e.a = e.open()
	e.caps = e.a.Capabilities()
	// A case that hangs ends by this, also in a bubble, where it costs no time.
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	e.ctx = ctx
	return e
}

// ticks is n ticks.
func (e *env) ticks(n float64) time.Duration { return time.Duration(n * float64(e.tick)) }

func (e *env) sleep(n float64) { time.Sleep(e.ticks(n)) }

// took checks that n ticks have passed since start, and hardly more.
func (e *env) took(start time.Time, n float64) {
	e.Helper()
	got, want := time.Since(start), e.ticks(n)
	if got < want-e.early || got > want+e.slack {
		e.Errorf("it took %v, want %v", got, want)
	}
}

// at runs f in another goroutine n ticks from now; the case waits for it.
func (e *env) at(n float64, f func()) {
	done := make(chan struct{})
	e.Cleanup(func() { <-done })
	go func() {
		defer close(done)
		e.sleep(n)
		f()
	}()
}

func texts(bodies ...string) []adapter.Message {
	ms := make([]adapter.Message, len(bodies))
	for i, b := range bodies {
		ms[i] = adapter.Message{Type: adapter.Text, Body: []byte(b)}
	}
	return ms
}

// numbered are n bodies: prefix0, prefix1, …
func numbered(prefix string, n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return s
}

func delayed(d time.Duration, body string) adapter.Message {
	return adapter.Message{Type: adapter.Text, Body: []byte(body), Delay: adapter.After(d)}
}

func (e *env) send(queue string, bodies ...string) {
	e.Helper()
	e.sendMessages(queue, texts(bodies...)...)
}

func (e *env) sendMessages(queue string, ms ...adapter.Message) {
	e.Helper()
	if err := e.a.Send(e.ctx, queue, ms...); err != nil {
		e.Errorf("Send: %v", err)
	}
}

// receive takes what is ready, at most n, under a lease that outlasts the case.
func (e *env) receive(queue string, n int) []adapter.Delivery {
	e.Helper()
	return e.receiveWith(queue, adapter.ReceiveOptions{Max: n, Lease: e.ticks(3600)})
}

func (e *env) receiveWith(queue string, o adapter.ReceiveOptions) []adapter.Delivery {
	e.Helper()
	ds, err := e.a.Receive(e.ctx, queue, o)
	if err != nil {
		e.Errorf("Receive: %v", err)
	}
	return ds
}

// take receives and insists on exactly these bodies in this order.
func (e *env) take(queue string, bodies ...string) []adapter.Delivery {
	e.Helper()
	ds := e.receive(queue, len(bodies)+1)
	e.bodies(ds, bodies...)
	return ds
}

// bodies ends the case unless ds have these bodies in this order, since what
// follows would only say the same again.
func (e *env) bodies(ds []adapter.Delivery, want ...string) {
	e.Helper()
	got := make([]string, len(ds))
	for i, d := range ds {
		got[i] = string(d.Body)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		e.Fatalf("bodies (-want +got):\n%s", diff)
	}
}

func (e *env) attempts(ds []adapter.Delivery, want int) {
	e.Helper()
	for i, d := range ds {
		if d.Attempts != want {
			e.Errorf("delivery %d (%.20q): attempts %d, want %d", i, d.Body, d.Attempts, want)
		}
	}
}

func settlement(s adapter.Settlement, ds []adapter.Delivery) []adapter.Settlement {
	out := make([]adapter.Settlement, len(ds))
	for i, d := range ds {
		out[i] = s
		out[i].Lease = d.Lease
	}
	return out
}

func ack(ds ...adapter.Delivery) []adapter.Settlement {
	return settlement(adapter.Settlement{Do: adapter.Ack}, ds)
}

func retry(delay time.Duration, ds ...adapter.Delivery) []adapter.Settlement {
	return settlement(adapter.Settlement{Do: adapter.Retry, Delay: delay}, ds)
}

func release(delay time.Duration, ds ...adapter.Delivery) []adapter.Settlement {
	return settlement(adapter.Settlement{Do: adapter.Retry, Delay: delay, Uncounted: true}, ds)
}

func move(to string, ds ...adapter.Delivery) []adapter.Settlement {
	return settlement(adapter.Settlement{Do: adapter.Move, To: to}, ds)
}

func (e *env) settle(queue string, s ...adapter.Settlement) {
	e.Helper()
	if err := e.a.Settle(e.ctx, queue, s...); err != nil {
		e.Errorf("Settle: %v", err)
	}
}

// lost checks that err names exactly the items at these indexes, each with
// ErrLeaseLost.
func (e *env) lost(err error, indexes ...int) {
	e.Helper()
	var p *adapter.PartialError
	if !errors.As(err, &p) {
		e.Errorf("error %v, want a PartialError for the items %v", err, indexes)
		return
	}
	var got []int
	for _, it := range p.Items {
		got = append(got, it.Index)
		if !errors.Is(it.Err, adapter.ErrLeaseLost) {
			e.Errorf("item %d: error %v, want ErrLeaseLost", it.Index, it.Err)
		}
	}
	if diff := cmp.Diff(indexes, got); diff != "" {
		e.Errorf("indexes of the lost leases (-want +got):\n%s", diff)
	}
}

// failed checks that err is one of want.
func (e *env) failed(what string, err, want error) {
	e.Helper()
	if !errors.Is(err, want) {
		e.Errorf("%s: error %v, want %v", what, err, want)
	}
}

// counts checks the three numbers of the backlog. Stats may be a second old.
func (e *env) counts(queue string, ready, delayed, leased int64) {
	e.Helper()
	if !e.caps.Control {
		return
	}
	want := [3]int64{ready, delayed, leased}
	var got [3]int64
	for deadline := time.Now().Add(time.Second); ; time.Sleep(100 * time.Millisecond) {
		s, err := e.a.Stats(e.ctx, queue)
		if err != nil {
			e.Errorf("Stats: %v", err)
			return
		}
		if got = [3]int64{s.Ready, s.Delayed, s.Leased}; got == want {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	e.Errorf("ready, delayed, leased are %v, want %v", got, want)
}

func (e *env) configure(queue string, change func(*adapter.Settings)) {
	e.Helper()
	if err := e.a.Configure(e.ctx, queue, change); err != nil {
		e.Errorf("Configure: %v", err)
	}
}
