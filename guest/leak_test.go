package guest_test

import (
	"context"
	"os"
	"runtime"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// 100,000 events, good and bad, leave nothing behind. It runs alone: it counts
// what the whole process holds.
func TestNothingIsLeftBehind(t *testing.T) {
	good := guesttest.Load(t, guests+"ascii.wasm")
	bad := probe(t, guest.Config{})
	ends := []string{"trap", "exit 3", "fail", "send OTHER 0 1\n1", "rawsend end 1 0 1 0", "grow 100", "print 1 3 x"}
	run := func(from, to int) {
		for i := from; i < to; i++ {
			switch {
			case i%100 == 0:
				_ = bad.Program.Run(t.Context(), &hostfn.Event{Kind: hostfn.KindFetch,
					Request: &hostfn.Request{Body: []byte(ends[i/100%len(ends)])}})
			case i%2 == 0:
				ev := &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{},
					Grants: hostfn.Grants{"PAGE_QUEUE": {Sender: nowhere{}}}}
				if err := good.Program.Run(t.Context(), ev); err != nil || ev.Response.Status != 202 {
					t.Fatal(err, ev.Response)
				}
			default:
				b := batch.New("q", []adapter.Delivery{{Body: []byte("1")}})
				if err := good.Program.Run(t.Context(), &hostfn.Event{Kind: hostfn.KindQueue, Batch: b}); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	run(0, 2_000)
	before := held(t)
	run(2_000, 102_000)
	after := held(t)
	t.Logf("before %+v, after %+v", before, after)
	if after.goroutines > before.goroutines || after.descriptors > before.descriptors || after.heap > before.heap+2<<20 {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

type nowhere struct{}

func (nowhere) Send(context.Context, string, ...adapter.Message) error { return nil }

// holdings are what a process holds.
type holdings struct{ goroutines, descriptors, heap int }

func held(t *testing.T) holdings {
	t.Helper()
	runtime.GC()
	runtime.GC() // the second frees what finalizers of the first let go
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	h := holdings{goroutines: runtime.NumGoroutine(), heap: int(m.HeapAlloc)}
	if fds, err := os.ReadDir("/proc/self/fd"); err == nil {
		h.descriptors = len(fds)
	}
	return h
}
