package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// edit runs statements on a file as another program would.
func edit(tb testing.TB, path string, statements ...string) {
	tb.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		tb.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			tb.Fatalf("%s: %v", s, err)
		}
	}
	if err := db.Close(); err != nil {
		tb.Fatal(err)
	}
}

// filled is the path of a closed store with messages in it.
func filled(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "queues.db")
	a := openAt(t, "sqlite:"+path)
	for range 50 {
		if err := a.Send(context.Background(), "q", bodies(100)...); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func bodies(n int) []adapter.Message {
	ms := make([]adapter.Message, n)
	for i := range ms {
		ms[i] = adapter.Message{Type: adapter.Bytes, Body: bytes.Repeat([]byte{byte(i)}, 200)}
	}
	return ms
}

// Each unusable file is an error that names it and its fault, and it stays as
// it was.
func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	overwrite := func(at int64, b []byte) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			f, err := os.OpenFile(path, os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteAt(b, at); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	statements := func(s ...string) func(*testing.T, string) {
		return func(t *testing.T, path string) { edit(t, path, s...) }
	}
	write := func(text string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	tests := []struct {
		name  string
		spoil func(t *testing.T, path string)
		says  string
	}{
		{"text", write(strings.Repeat("not a database\n", 100)), "not an SQLite database"},
		{"a short text", write("x"), "not an SQLite database"},
		{"another program's database", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			edit(t, path, "create table users(id)", "insert into users values(1)")
		}, "database of another program"},
		{"another program's mark", statements("pragma application_id=1"), "database of another program"},
		{"a newer version", statements("pragma user_version=2"), "newer version of wazqueue (its schema is 2, this one knows 1)"},
		{"no version", statements("pragma user_version=0"), "is damaged: schema 0"},
		{"a table is missing", statements("drop table f"), "is damaged: schema 1 with the tables [c l queue r]"},
		{"the header is damaged", overwrite(0, make([]byte, 16)), "not an SQLite database"},
		{"the schema is damaged", overwrite(100, bytes.Repeat([]byte{0xff}, 1000)), "the file is damaged"},
		{"the queues are damaged", overwrite(4096, bytes.Repeat([]byte{0xff}, 4096)), "the file is damaged"},
		{"cut short", func(t *testing.T, path string) {
			if err := os.Truncate(path, 3*4096); err != nil {
				t.Fatal(err)
			}
		}, "the file is damaged"},
		{"a folder", func(t *testing.T, path string) {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "it is a folder"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			path := filled(t)
			tt.spoil(t, path)
			before, _ := os.ReadFile(path)
			a, err := sqlite.Open(context.Background(), "sqlite:"+path)
			if err == nil {
				_ = a.Close()
				t.Fatal("the file was opened")
			}
			if !strings.Contains(err.Error(), tt.says) || !strings.Contains(err.Error(), path) {
				t.Errorf("error %q, want one that says %q and names the file", err, tt.says)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestOpenCreates(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	tests := []struct{ name, url, file string }{
		{"folders", "sqlite:" + dir + "/a/b/c/q.db", "a/b/c/q.db"},
		{"a relative path", "sqlite:rel/q.db", "rel/q.db"},
		{"a path with special characters", "sqlite:" + dir + "/50%25 %23&=%3F 队.db", "50% #&=? 队.db"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := openAt(t, tt.url)
			if err := a.Send(t.Context(), "q", bodies(1)...); err != nil {
				t.Error(err)
			}
			if err := a.Close(); err != nil {
				t.Error(err)
			}
			if err := sqlite.Verify(filepath.Join(dir, tt.file)); err != nil {
				t.Error(err)
			}
			left, err := filepath.Glob(filepath.Join(dir, "*-wal"))
			if err != nil || len(left) > 0 {
				t.Errorf("Close left %v, error %v", left, err)
			}
		})
	}
}

func TestOpenEndedContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	at := address(t, "")
	if _, err := sqlite.Open(ctx, at); err == nil {
		t.Error("opened")
	}
	if _, err := os.Stat(strings.TrimPrefix(at, "sqlite:")); err == nil {
		t.Error("the file was created")
	}
}
