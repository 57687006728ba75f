//go:build unix

package sqlite_test

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// childOrder makes calls one by one and writes a line after each.
func childOrder(args []string) error {
	ctx := context.Background()
	a, err := sqlite.Open(ctx, args[0])
	if err != nil {
		return err
	}
	for range 10 {
		if err := a.Send(ctx, "q", bodies(3)...); err != nil {
			return err
		}
		say("replied")
		ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: 2})
		if err != nil {
			return err
		}
		say("replied")
		if err := a.Settle(ctx, "q", adapter.Settlement{Lease: ds[0].Lease}, adapter.Settlement{Lease: ds[1].Lease, Do: adapter.Retry}); err != nil {
			return err
		}
		say("replied")
	}
	return a.Close()
}

// kill -9 proves nothing about the power failing, but the order of system
// calls does: with synchronous=full the log is synced between the last write
// to it and the reply, with normal it is not.
func TestSyncedBeforeReply(t *testing.T) {
	t.Parallel()
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("needs strace")
	}
	for query, synced := range map[string]bool{"?synchronous=full": true, "?synchronous=normal": false} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			trace := filepath.Join(t.TempDir(), "trace")
			cmd := child(t, "order", address(t, query))
			cmd.Args = append([]string{strace, "-f", "-qq", "-e", "trace=open,openat,write,pwrite64,fsync,fdatasync", "-o", trace, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = strace
			if out, err := cmd.Output(); err != nil {
				if len(out) == 0 {
					t.Skipf("strace does not run here: %v", err)
				}
				t.Fatal(err)
			}
			text, err := os.ReadFile(trace)
			if err != nil {
				t.Fatal(err)
			}
			replies, early := readTrace(text)
			if replies != 30 {
				t.Fatalf("%d replies in the trace, want 30", replies)
			}
			if synced && early > 0 || !synced && early == 0 {
				t.Errorf("%d of %d replies came before the log was synced", early, replies)
			}
		})
	}
}

var (
	traceOpen = regexp.MustCompile(`open(?:at)?\([^"]*"([^"]*)".* = (\d+)$`)
	traceCall = regexp.MustCompile(`^(\d+) +(write|pwrite64|fsync|fdatasync)\((\d+)`)
	traceEnd  = regexp.MustCompile(`^(\d+) +<\.\.\. (fsync|fdatasync) resumed>.* = 0$`)
)

// readTrace counts replies, and those with writes to the log that were not
// synced. A sync counts when it ends; calls of other threads may lie between.
func readTrace(text []byte) (replies, early int) {
	log, dirty := map[string]bool{}, false
	syncing := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line := lines.Text()
		if m := traceOpen.FindStringSubmatch(line); m != nil {
			log[m[2]] = strings.HasSuffix(m[1], "-wal")
		}
		if m := traceEnd.FindStringSubmatch(line); m != nil && syncing[m[1]] {
			dirty = false
			delete(syncing, m[1])
		}
		m := traceCall.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		unfinished := strings.HasSuffix(line, "<unfinished ...>")
		switch call, fd := m[2], m[3]; {
		case call == "write" && fd == "1":
			replies++
			if dirty {
				early++
			}
		case call == "pwrite64" && log[fd]:
			dirty = true
		case strings.HasSuffix(call, "sync") && log[fd] && unfinished:
			syncing[m[1]] = true
		case strings.HasSuffix(call, "sync") && log[fd] && strings.HasSuffix(line, "= 0"):
			dirty = false
		}
	}
	return replies, early
}
