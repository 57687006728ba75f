package memory

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// TestNothingStays: a queue that has been through everything holds nothing
// when its messages are gone, and one that was only waited for is forgotten.
func TestNothingStays(t *testing.T) {
	t.Parallel()
	ends := map[string]func(*Adapter, []adapter.Settlement) error{
		"acked": func(a *Adapter, s []adapter.Settlement) error { return a.Settle(t.Context(), "q", s...) },
		"purged": func(a *Adapter, _ []adapter.Settlement) error {
			_, err := a.Purge(t.Context(), "q")
			return err
		},
		"aged": func(a *Adapter, _ []adapter.Settlement) error {
			time.Sleep(adapter.DefaultRetention)
			_, err := a.Stats(t.Context(), "q")
			return err
		},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := Open()
				defer a.Close()
				for i := range 3000 {
					m := adapter.Message{Body: []byte("body")}
					if i%3 == 0 {
						m.Delay = adapter.After(time.Duration(i) * time.Millisecond)
					}
					if err := a.Send(t.Context(), "q", m, m, m); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(time.Hour)
				if err := a.Send(t.Context(), "q", adapter.Message{}); err != nil {
					t.Fatal(err)
				}
				var list []adapter.Settlement
				for range 2 { // the first leases expire
					ds, err := a.Receive(t.Context(), "q", adapter.ReceiveOptions{Max: 10_000, Lease: time.Minute})
					if err != nil || len(ds) != 9001 {
						t.Fatalf("received %d, error %v", len(ds), err)
					}
					time.Sleep(2 * time.Minute)
					list = list[:0]
					for _, d := range ds {
						list = append(list, adapter.Settlement{Lease: d.Lease})
					}
				}
				if err := end(a, list); err != nil {
					t.Fatal(err)
				}
				wantEmpty(t, a.queues["q"])
			})
		})
	}
}

func wantEmpty(t *testing.T, q *queue) {
	t.Helper()
	switch {
	case q.ready != list{}, q.ages != list{}, q.joining.r != nil:
		t.Error("records are left in a list, or for others to join")
	case len(q.delayed.nodes)+len(q.leased.nodes)+len(q.leases) > 0:
		t.Error("records are left in a heap or under a lease")
	case cap(q.delayed.nodes)+cap(q.leased.nodes) > 2048 || q.leases != nil:
		t.Error("room for thousands is left")
	case q.backlog() != 0 || q.bytes != 0 || q.count != [3]int{}:
		t.Errorf("counts %v and %d bytes are left", q.count, q.bytes)
	}
}

func TestWaitingLeavesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a := Open()
		defer a.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := a.Receive(ctx, "cancelled", adapter.ReceiveOptions{Wait: time.Minute}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline's", err)
		}
		if _, err := a.Receive(t.Context(), "empty", adapter.ReceiveOptions{Wait: time.Minute, Linger: time.Second}); err != nil {
			t.Errorf("Receive: %v", err)
		}
		go func() {
			time.Sleep(time.Second)
			if err := a.Send(t.Context(), "served", adapter.Message{}); err != nil {
				t.Errorf("Send: %v", err)
			}
			if err := a.Delete(t.Context(), "served"); err != nil {
				t.Errorf("Delete: %v", err)
			}
		}()
		if _, err := a.Receive(t.Context(), "served", adapter.ReceiveOptions{Wait: time.Minute}); err != nil {
			t.Errorf("Receive: %v", err)
		}
		synctest.Wait()
		if len(a.queues) != 0 {
			t.Errorf("%d queues are left", len(a.queues))
		}
	})
}
