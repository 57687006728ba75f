package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if os.IsNotExist(err) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// rows counts the rows of each table.
func rows(t *testing.T, a *Adapter) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	err := a.read(context.Background(), "test", func(v *view) error {
		for _, table := range tables {
			n, err := v.db.number("select count(*) from " + table)
			if err != nil {
				return err
			}
			counts[table] = n
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return counts
}

func (a *Adapter) drain(t *testing.T, queue string) (n int) {
	t.Helper()
	for {
		ds, err := a.Receive(context.Background(), queue, adapter.ReceiveOptions{Max: 100})
		if err != nil {
			t.Fatal(err)
		}
		if len(ds) == 0 {
			return n
		}
		n += len(ds)
		var s []adapter.Settlement
		for _, d := range ds {
			s = append(s, adapter.Settlement{Lease: d.Lease})
		}
		if err := a.Settle(context.Background(), queue, s...); err != nil {
			t.Fatal(err)
		}
	}
}

// However much goes through, the file stays the size of what is in it at one
// time, and the log is bounded, also while others read without a pause.
func TestSpaceIsUsedAgain(t *testing.T) {
	t.Parallel()
	a, path := openStore(t, "?synchronous=normal")
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			if _, err := a.Stats(context.Background(), "q"); err != nil && err != adapter.ErrQueueNotFound {
				t.Error(err)
			}
		}
	})
	const batches, chunkBytes = 10, 100 * 1000
	for range 25 {
		for range batches {
			if err := a.Send(ctx, "q", texts(100, 1000)...); err != nil {
				t.Fatal(err)
			}
		}
		if n := a.drain(t, "q"); n != batches*100 {
			t.Fatalf("%d messages came back", n)
		}
		if log := size(t, path+"-wal"); log > maxLog {
			t.Fatalf("the log has %d bytes", log)
		}
	}
	cancel()
	wg.Wait()
	if got, limit := size(t, path), int64(3*batches*chunkBytes); got > limit {
		t.Errorf("the file has %d bytes, want at most %d", got, limit)
	}
}

// After a second without writes the file has everything, and a log that grew
// large is emptied.
func TestIdleEmptiesTheLog(t *testing.T) {
	t.Parallel()
	for _, mib := range []int{1, 20} {
		t.Run(fmt.Sprint(mib, " MiB"), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a, path := openStore(t, "")
				// In one transaction, which SQLite's own checkpoints cannot divide.
				if err := a.Send(t.Context(), "q", texts(mib*1024, 1024)...); err != nil {
					t.Fatal(err)
				}
				before := size(t, path+"-wal")
				if before < int64(mib)<<20 {
					t.Fatalf("the log has %d bytes to begin with", before)
				}
				time.Sleep(2 * idleAfter)
				if after := size(t, path+"-wal"); mib == 20 && after != 0 || mib == 1 && after == 0 {
					t.Errorf("the log had %d bytes and has %d", before, after)
				}
				// Reading it drops this process's locks on it, which nobody else wants.
				alone := filepath.Join(t.TempDir(), "copy.db")
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(alone, text, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := Verify(alone); err != nil {
					t.Errorf("the file without its log: %v", err)
				}
				b, err := Open(t.Context(), "sqlite:"+alone)
				if err != nil {
					t.Fatal(err)
				}
				if s, err := b.Stats(t.Context(), "q"); err != nil || s.Ready != int64(mib*1024) {
					t.Errorf("the file without its log: %+v, %v", s, err)
				}
				if err := b.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// What nobody settles goes when its retention has passed, without being asked
// for, bodies and all (B-31).
func TestExpiredAreSwept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := openStore(t, "?synchronous=normal")
		ctx := t.Context()
		if err := a.Configure(ctx, "q", func(s *adapter.Settings) { s.Retention = time.Minute }); err != nil {
			t.Fatal(err)
		}
		for i := range 3 * sweepSize {
			if err := a.Send(ctx, "q", texts(1+i%3, 100)...); err != nil {
				t.Fatal(err)
			}
		}
		if err := a.Send(ctx, "q", texts(10, 1000)...); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 250, Lease: 70 * time.Second}); err != nil {
			t.Fatal(err)
		}
		ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 1, Lease: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Send(ctx, "other", texts(2, 10)...); err != nil {
			t.Fatal(err)
		}
		time.Sleep(90*time.Second + 2*sweepEvery)
		want := map[string]int64{"queue": 2, "r": 1, "l": 1, "c": 1, "f": 0}
		if got := rows(t, a); got["r"] != want["r"] || got["l"] != want["l"] || got["queue"] != want["queue"] || got["c"] > want["c"]+1 {
			t.Errorf("rows %v, want about %v: one other message, and one under a lease that lasts", got, want)
		}
		if err := a.Settle(ctx, "q", adapter.Settlement{Lease: ds[0].Lease}); err != nil {
			t.Errorf("acking under the lease that lasts: %v", err)
		}
		want = map[string]int64{"queue": 2, "r": 1, "l": 0, "c": 1, "f": 0}
		for table, n := range rows(t, a) {
			if n != want[table] {
				t.Errorf("table %s has %d rows, want %d", table, n, want[table])
			}
		}
	})
}

// Purge and Delete take no time however much there is; the records go later,
// and the store's numbers do not begin anew.
func TestPurgedAreSwept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, _ := openStore(t, "?synchronous=normal")
		ctx := t.Context()
		for _, queue := range []string{"purged", "deleted"} {
			for i := range 3 * sweepSize {
				if err := a.Send(ctx, queue, texts(1+i%3, 100)...); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := a.Receive(ctx, queue, adapter.ReceiveOptions{Max: 250}); err != nil {
				t.Fatal(err)
			}
		}
		last := a.nextNumber(t)
		if n, err := a.Purge(ctx, "purged"); err != nil || n != 6*sweepSize {
			t.Errorf("%d messages went, error %v", n, err)
		}
		if err := a.Delete(ctx, "deleted"); err != nil {
			t.Error(err)
		}
		if s, err := a.Stats(ctx, "purged"); err != nil || s != (adapter.Stats{}) {
			t.Errorf("stats %+v, error %v, want none", s, err)
		}
		time.Sleep(time.Second)
		want := map[string]int64{"queue": 1, "r": 0, "l": 0, "c": 0, "f": 0}
		for table, n := range rows(t, a) {
			if n != want[table] {
				t.Errorf("table %s has %d rows, want %d", table, n, want[table])
			}
		}
		if n := a.nextNumber(t); n < last {
			t.Errorf("numbers begin anew at %d after %d", n, last)
		}
	})
}

// nextNumber is the number that another process would take next.
func (a *Adapter) nextNumber(t *testing.T) (n int64) {
	t.Helper()
	err := a.read(context.Background(), "test", func(v *view) (err error) {
		n, err = v.db.number("select max(next) from queue")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
