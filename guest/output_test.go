package guest_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/guest"
)

func contains(text string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// lineChecker fails for a Write that is not whole lines.
type lineChecker struct {
	t *testing.T
	bytes.Buffer
}

func (c *lineChecker) Write(b []byte) (int, error) {
	if !bytes.HasSuffix(b, []byte("\n")) {
		c.t.Errorf("a write of %q is not whole lines", b)
	}
	return c.Buffer.Write(b)
}

func TestOutput(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, script   string
		limit          int
		stdout, stderr string
		cut            bool
	}{
		{"lines to both streams", "print 1 2 a\nprint 2 1 b\n", 100, "a\na\n", "b\n", false},
		{"a line in pieces", "write 1 2\nab\nwrite 1 2\nc\n", 100, "abc\n", "", false},
		{"the last line is not finished", "write 1 3\nabc", 100, "abc\n", "", false},
		{"it is kept when the event fails", "write 1 3\nabc\ntrap", 100, "abc\n", "", false},
		{"not UTF-8", "write 2 3\n\xff\xfe\n", 100, "", "\xff\xfe\n", false},
		{"exactly the limit", "print 1 5 x", 10, strings.Repeat("x\n", 5), "", false},
		{"cut at a line", "print 1 5 xy", 10, strings.Repeat("xy\n", 3), "", true},
		{"both together", "print 1 3 x\nprint 2 3 y\n", 8, "x\nx\nx\n", "y\n", true},
		{"one long line", "print 1 1 " + strings.Repeat("x", 100), 50, "", "", true},
		{"nothing after the cut", "print 1 1 " + strings.Repeat("x", 100) + "\nprint 2 1 y", 50, "", "", true},
		{"a long write with some lines that fit", "write 1 9\na\nb\nccccc", 4, "a\nb\n", "", true},
		{"no such descriptor", "print 3 1 x", 100, "", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			stdout, stderr := &lineChecker{t: t}, &lineChecker{t: t}
			var log bytes.Buffer
			g := probe(t, guest.Config{Stdout: stdout, Stderr: stderr, OutputBytes: tt.limit,
				Log: slog.New(slog.NewTextHandler(&log, nil))})
			_, _ = script(t, g, tt.script)
			if stdout.String() != tt.stdout || stderr.String() != tt.stderr {
				t.Errorf("printed %q and %q, want %q and %q", stdout.String(), stderr.String(), tt.stdout, tt.stderr)
			}
			if said := contains(log.String(), "guest output cut", fmt.Sprintf("limit_bytes=%d", tt.limit)); said != tt.cut {
				t.Errorf("the log says %q", log.String())
			}
		})
	}
}

// A guest that prints without end costs time, not memory.
func TestEndlessOutputIsDropped(t *testing.T) {
	t.Parallel()
	var out lineChecker
	out.t = t
	g := probe(t, guest.Config{Stdout: &out})
	mustScript(t, g, "print 1 200000 0123456789")
	if want := 1<<20 - 1<<20%11; out.Len() != want {
		t.Errorf("%d bytes came through, want %d", out.Len(), want)
	}
}
