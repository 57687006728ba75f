//go:build unix

package sqlite_test

import (
	"context"
	"fmt"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// childLimit works with files that cannot grow, as on a full disk, and then
// with files that can again. It counts what it was promised.
func childLimit(args []string) error {
	ctx := context.Background()
	a, err := sqlite.Open(ctx, args[0])
	if err != nil {
		return err
	}
	signal.Ignore(syscall.SIGXFSZ) // the write fails then
	var before syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1 << 20, Max: before.Max}); err != nil {
		return err
	}
	sent, failed := 0, 0
	send := func(n int) {
		if err := a.Send(ctx, "q", bodies(n)...); err != nil {
			failed++
			return
		}
		sent += n
	}
	for failed < 20 {
		send(30)
	}
	ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 5})
	if err == nil {
		return fmt.Errorf("%d messages were leased without room for the lease", len(ds))
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before); err != nil {
		return err
	}
	for range 10 {
		send(30)
	}
	fmt.Print(sent, " ", failed)
	return a.Close()
}

// Writes that fail at the commit leave nothing half done, and the adapter
// goes on once they succeed.
func TestFailingWrites(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "queues.db")
	out, err := child(t, "limit", "sqlite:"+path).Output()
	if err != nil {
		t.Fatal(err)
	}
	var sent, failed int
	if _, err := fmt.Fscan(strings.NewReader(string(out)), &sent, &failed); err != nil {
		t.Fatalf("%q: %v", out, err)
	}
	if failed != 20 || sent < 600 {
		t.Errorf("%d messages were sent, %d calls failed, want 20 and then none", sent, failed)
	}
	if err := sqlite.Verify(path); err != nil {
		t.Error(err)
	}
	a := openAt(t, "sqlite:"+path)
	if s, err := a.Stats(t.Context(), "q"); err != nil || s.Ready != int64(sent) {
		t.Errorf("stats %+v, error %v, want %d messages", s, err, sent)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
