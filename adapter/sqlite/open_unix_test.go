//go:build unix

package sqlite_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// What cannot be written is refused when it is opened. The superuser can
// write everything, so another user tries.
func TestOpenRefusesWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		spoil func(dir, path string) error
		says  string
	}{
		{"a file", func(_, path string) error { return os.Chmod(path, 0o444) }, "cannot be written"},
		{"a folder", func(dir, _ string) error { return os.Chmod(dir, 0o555) }, "cannot be written"},
		{"a folder without the file", func(dir, path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Chmod(dir, 0o555)
		}, "cannot be written"},
		{"a file that cannot be read", func(_, path string) error { return os.Chmod(path, 0) }, "cannot be opened"},
		{"a file as folder", func(dir, path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			if err := os.Remove(dir); err != nil {
				return err
			}
			return os.WriteFile(dir, nil, 0o644)
		}, "is not a folder"},
		{"nothing is wrong", func(string, string) error { return nil }, "open"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp("", "wazqueue")
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = os.Chmod(dir, 0o700)
				_ = os.RemoveAll(dir)
			})
			path := filepath.Join(dir, "queues.db")
			if err := openAt(t, "sqlite:"+path).Close(); err != nil {
				t.Fatal(err)
			}
			cmd := child(t, "open", "sqlite:"+path)
			if os.Getuid() == 0 {
				const nobody = 65534
				cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
				cmd.Path = shared(t, cmd.Path)
				for _, name := range []string{dir, path} {
					if err := os.Chown(name, nobody, nobody); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := tt.spoil(dir, path); err != nil {
				t.Fatal(err)
			}
			out, err := cmd.Output()
			if err != nil || !strings.Contains(string(out), tt.says) {
				t.Errorf("the child says %q, error %v, want %q", out, err, tt.says)
			}
		})
	}
}

// shared is a copy of a program where any user can run it.
func shared(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "wazqueue")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "child")
	if err := os.WriteFile(copied, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return copied
}

// Many processes and many callers in one may create the file together.
func TestOpenAtOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "queues.db")
	const processes, callers = 8, 8
	says := make([]string, processes+callers)
	var wg sync.WaitGroup
	for i := range says {
		if i < processes {
			cmd := child(t, "open", "sqlite:"+path)
			wg.Go(func() {
				out, err := cmd.Output()
				says[i] = fmt.Sprint(string(out), err)
			})
			continue
		}
		wg.Go(func() {
			a, err := sqlite.Open(context.Background(), "sqlite:"+path)
			if err == nil {
				err = a.Send(context.Background(), "q", bodies(1)...)
				_ = a.Close()
			}
			says[i] = fmt.Sprint("open", err)
		})
	}
	wg.Wait()
	for i, s := range says {
		if s != "open<nil>" {
			t.Errorf("process or caller %d: %s", i, s)
		}
	}
	a := openAt(t, "sqlite:"+path)
	if s, err := a.Stats(t.Context(), "q"); err != nil || s.Ready != callers {
		t.Errorf("stats %+v, error %v, want %d messages", s, err, callers)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
