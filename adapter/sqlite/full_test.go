package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

func openStore(t *testing.T, query string) (*Adapter, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queues.db")
	a, err := Open(context.Background(), "sqlite:"+path+query)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if err := Verify(path); err != nil {
			t.Error(err)
		}
	})
	return a, path
}

// alter runs a statement as another program would.
func alter(t *testing.T, path, text string) {
	t.Helper()
	db, err := dial(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.pragma("busy_timeout=5000"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.exec(text); err != nil {
		t.Fatal(err)
	}
	if err := db.close(); err != nil {
		t.Fatal(err)
	}
}

// onWriter runs f on the writer's goroutine.
func (a *Adapter) onWriter(t *testing.T, f func(*tx) error) {
	t.Helper()
	if err := a.do(context.Background(), "test", &request{run: f}); err != nil {
		t.Fatal(err)
	}
}

func texts(n, size int) []adapter.Message {
	ms := make([]adapter.Message, n)
	for i := range ms {
		ms[i] = adapter.Message{Type: adapter.Text, Body: []byte(strings.Repeat("x", size))}
	}
	return ms
}

// When the file can grow no more, sends fail whole, each for itself, and are
// no refusal by the engine; what is there can be worked off, and then sends
// go on.
func TestFull(t *testing.T) {
	t.Parallel()
	a, _ := openStore(t, "?synchronous=normal")
	ctx := context.Background()
	a.onWriter(t, func(t *tx) error {
		_, err := t.db.number("pragma max_page_count=60")
		return err
	})
	sent := 0
	var err error
	for err == nil {
		if err = a.Send(ctx, "q", texts(10, 400)...); err == nil {
			sent += 10
		}
	}
	var r adapter.Refused
	if errors.As(err, &r) || !strings.Contains(err.Error(), "full") {
		t.Errorf("error %v, want one that says full and is no refusal", err)
	}
	if sent == 0 {
		t.Fatal("nothing could be sent")
	}
	count := func(want int) {
		t.Helper()
		if s, err := a.Stats(ctx, "q"); err != nil || s.Ready != int64(want) || s.Bytes != int64(400*want) {
			t.Errorf("stats %+v, error %v, want %d messages", s, err, want)
		}
	}
	count(sent)

	// Small sends that share the transaction with a large one still fit.
	var wg sync.WaitGroup
	var mu sync.Mutex
	small := 0
	for i := range 32 {
		wg.Go(func() {
			ms := texts(1, 1)
			if i%4 == 0 {
				ms = texts(100, 2000)
			}
			err := a.Send(ctx, "small", ms...)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case i%4 == 0 && err == nil:
				t.Error("a large send was taken")
			case i%4 != 0 && err == nil:
				small++
			}
		})
	}
	wg.Wait()
	if s, err := a.Stats(ctx, "small"); small > 0 && (err != nil || s.Ready != int64(small)) {
		t.Errorf("stats %+v, error %v, want %d messages", s, err, small)
	}
	count(sent)

	for range sent / 10 {
		ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 10})
		if err != nil || len(ds) != 10 {
			t.Fatalf("received %d, error %v", len(ds), err)
		}
		var s []adapter.Settlement
		for _, d := range ds {
			s = append(s, adapter.Settlement{Lease: d.Lease})
		}
		if err := a.Settle(ctx, "q", s...); err != nil {
			t.Fatal(err)
		}
	}
	count(0)
	if err := a.Send(ctx, "q", texts(10, 400)...); err != nil {
		t.Errorf("with room again: %v", err)
	}
	count(10)
}

// A damaged record is an error of the calls that meet it. Others in the same
// transaction, and other queues, go on, and nothing runs in circles.
func TestDamagedRecord(t *testing.T) {
	t.Parallel()
	a, path := openStore(t, "?synchronous=normal")
	ctx := context.Background()
	if err := a.Send(ctx, "bad", texts(3, 10)...); err != nil {
		t.Fatal(err)
	}
	alter(t, path, "update r set rec=x'000102' where q=(select id from queue where name='bad')")
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			switch i % 3 {
			case 0:
				if err := a.Send(ctx, "good", texts(1, 1)...); err != nil {
					t.Errorf("a send to another queue: %v", err)
				}
			case 1:
				ds, err := a.Receive(ctx, "bad", adapter.ReceiveOptions{Max: 5, Wait: 1 << 40})
				if !errors.Is(err, errDamaged) || len(ds) > 0 {
					t.Errorf("received %d messages, error %v, want %v", len(ds), err, errDamaged)
				}
			case 2:
				if err := a.Send(ctx, "bad", texts(2, 1)...); err != nil {
					t.Errorf("a send to the same queue: %v", err)
				}
			}
		})
	}
	wg.Wait()
	if s, err := a.Stats(ctx, "good"); err != nil || s.Ready != 10 {
		t.Errorf("stats %+v, error %v", s, err)
	}
	if n, err := a.Purge(ctx, "bad"); err != nil || n != 23 {
		t.Errorf("purged %d, error %v, want 23", n, err)
	}
	a.onWriter(t, func(t *tx) error { // for Verify: the sweep cannot read it either
		if err := t.exec("delete from c where id=?", int64(stride)); err != nil {
			return err
		}
		return t.exec("delete from r where rec=x'000102'")
	})
}

// Calls that wait for other queues are not told of damage in one.
func TestDamageWhileOthersWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, path := openStore(t, "?synchronous=normal")
		ctx := t.Context()
		m := texts(1, 1)
		m[0].Delay = adapter.After(time.Minute)
		if err := a.Send(ctx, "bad", m...); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, queue := range []string{"good", "better", "bad", "best"} {
			wg.Go(func() {
				ds, err := a.Receive(ctx, queue, adapter.ReceiveOptions{Wait: time.Hour})
				if bad := errors.Is(err, errDamaged); bad != (queue == "bad") || !bad && len(ds) != 1 {
					t.Errorf("%s: received %d, error %v", queue, len(ds), err)
				}
			})
		}
		time.Sleep(time.Second)
		alter(t, path, "update r set rec=x'000102'")
		time.Sleep(2 * time.Minute) // it is due now
		for _, queue := range []string{"good", "better", "best"} {
			if err := a.Send(ctx, queue, texts(1, 1)...); err != nil {
				t.Error(err)
			}
		}
		wg.Wait()
		a.onWriter(t, func(t *tx) error {
			if err := t.exec("update queue set n=0, bytes=0 where name='bad'"); err != nil {
				return err
			}
			return t.exec("delete from r where rec=x'000102'")
		})
	})
}
