package sqlite

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// Delayed and ready messages are counted from the side that has fewer rows;
// the numbers are the same from each.
func TestStatsOfManyRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := openStore(t, "?synchronous=normal")
		ctx := t.Context()
		start := time.Now()
		const n = 2*fewRows + 100
		ms := texts(n, 3)
		for i := range ms {
			ms[i].Delay = adapter.After(time.Duration(i+1) * time.Millisecond)
		}
		if err := a.Send(ctx, "q", ms...); err != nil {
			t.Fatal(err)
		}
		if err := a.Send(ctx, "q", texts(7, 3)...); err != nil {
			t.Fatal(err)
		}
		if ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 5, Lease: time.Hour}); err != nil || len(ds) != 5 {
			t.Fatalf("received %d, error %v", len(ds), err)
		}
		for _, ready := range []int{0, 1, 5000, fewRows + 50, 2 * fewRows, n} {
			time.Sleep(time.Until(start.Add(time.Duration(ready) * time.Millisecond)))
			want := adapter.Stats{Ready: int64(ready + 2), Delayed: int64(n - ready), Leased: 5, Bytes: 3 * (n + 7), Oldest: start}
			got, err := a.Stats(ctx, "q")
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("with %d due: %s", ready, d)
			}
		}
	})
}

// Oldest is the first enqueue of them all, wherever that message is.
func TestOldest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := openStore(t, "?synchronous=normal")
		ctx := t.Context()
		var at []time.Time
		send := func(queue string, d time.Duration) {
			t.Helper()
			m := texts(1, 1)
			m[0].Delay = adapter.After(d)
			if err := a.Send(ctx, queue, m...); err != nil {
				t.Fatal(err)
			}
			at = append(at, time.Now())
			time.Sleep(time.Second)
		}
		oldest := func(queue string, want time.Time) {
			t.Helper()
			if s, err := a.Stats(ctx, queue); err != nil || !s.Oldest.Equal(want) {
				t.Errorf("oldest %v, error %v, want %v", s.Oldest, err, want)
			}
		}
		receive := func(queue string) adapter.Lease {
			t.Helper()
			ds, err := a.Receive(ctx, queue, adapter.ReceiveOptions{Lease: time.Hour})
			if err != nil || len(ds) != 1 {
				t.Fatalf("received %d, error %v", len(ds), err)
			}
			return ds[0].Lease
		}
		settle := func(queue string, s adapter.Settlement) {
			t.Helper()
			if err := a.Settle(ctx, queue, s); err != nil {
				t.Fatal(err)
			}
		}
		send("q", time.Hour) // 0, delayed
		send("q", 0)         // 1
		send("q", 0)         // 2
		oldest("q", at[0])
		l1 := receive("q")
		if _, err := a.Purge(ctx, "q", a.peekID(t, "q", 1)); err != nil {
			t.Fatal(err)
		}
		oldest("q", at[1]) // leased
		settle("q", adapter.Settlement{Lease: l1, Do: adapter.Retry, Delay: time.Minute})
		oldest("q", at[1]) // retried, behind 2
		l2 := receive("q")
		send("q", 0) // 3
		settle("q", adapter.Settlement{Lease: l2, Do: adapter.Move, To: "dead"})
		oldest("dead", at[2])
		oldest("q", at[1])
		time.Sleep(2 * time.Minute)
		settle("q", adapter.Settlement{Lease: receive("q")})
		oldest("q", at[1])
		settle("q", adapter.Settlement{Lease: receive("q")})
		oldest("q", time.Time{})
	})
}

// peekID is the id of the i-th message that Peek shows.
func (a *Adapter) peekID(t *testing.T, queue string, i int) string {
	t.Helper()
	ds, err := a.Peek(t.Context(), queue, i+1)
	if err != nil || len(ds) != i+1 {
		t.Fatalf("peeked %d, error %v", len(ds), err)
	}
	return ds[i].ID
}
