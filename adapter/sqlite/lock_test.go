package sqlite

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// lock takes the file as another program would, and returns what frees it.
func lock(t *testing.T, path string) (free func()) {
	t.Helper()
	db, err := dial(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.pragma("busy_timeout=5000"); err != nil {
		t.Fatal(err)
	}
	if _, err := db.exec("begin immediate"); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := db.close(); err != nil {
			t.Error(err)
		}
	}
}

// A call whose context ends while another program has the file returns, and
// has not happened.
func TestContextEndsWhileLocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, path := openStore(t, "")
		if err := a.Send(t.Context(), "q", texts(1, 1)...); err != nil {
			t.Fatal(err)
		}
		free := lock(t, path)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		start := time.Now()
		if err := a.Send(ctx, "q", texts(1, 1)...); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Send: %v", err)
		}
		if ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Receive: %d messages, %v", len(ds), err)
		}
		if took := time.Since(start); took != 10*time.Second {
			t.Errorf("it took %v", took)
		}
		if s, err := a.Stats(t.Context(), "q"); err != nil || s.Ready != 1 {
			t.Errorf("stats %+v, error %v: reading does not wait", s, err)
		}
		free()
		if s, err := a.Stats(t.Context(), "q"); err != nil || s.Ready != 1 || s.Leased != 0 {
			t.Errorf("stats %+v, error %v, want the first message only", s, err)
		}
		if err := a.Send(t.Context(), "q", texts(1, 1)...); err != nil {
			t.Errorf("with the file free again: %v", err)
		}
	})
}

// A call waits for as long as another program has the file, and then goes on.
func TestLockedForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, path := openStore(t, "")
		free := lock(t, path)
		time.AfterFunc(20*time.Second, free)
		start := time.Now()
		if err := a.Send(t.Context(), "q", texts(1, 1)...); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took < 20*time.Second || took > 20*time.Second+10*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

// Close does not wait for ever for a file that another program has.
func TestCloseWhileLocked(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		a, path := openStore(t, "")
		free := lock(t, path)
		defer free()
		sent := make(chan error, 1)
		go func() { sent <- a.Send(t.Context(), "q", texts(1, 1)...) }()
		time.Sleep(time.Second)
		start := time.Now()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("Close took %v", took)
		}
		if err := <-sent; err == nil || !strings.Contains(err.Error(), "locked") {
			t.Errorf("Send: %v", err)
		}
	})
}
