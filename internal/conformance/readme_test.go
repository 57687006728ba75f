package conformance

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lines returns the indented lines of a README that begin with a word.
func lines(t *testing.T, file, word string) (found []string) {
	t.Helper()
	text, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if command, ok := strings.CutPrefix(line, "    "+word+" "); ok {
			found = append(found, strings.TrimSpace(word+" "+command))
		}
	}
	return found
}

// Both READMEs say the same commands and have the same sections.
func TestREADMEsAgree(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"make", "curl", "wazqueue", "go", "GOOS=wasip1"} {
		if d := cmp.Diff(lines(t, "README.md", word), lines(t, "README.zh-CN.md", word)); d != "" {
			t.Error(d)
		}
	}
	count := func(file, mark string) int {
		text, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(text), mark)
	}
	for _, mark := range []string{"\n## ", "\n| ", "\n- ", "\n```"} {
		if en, zh := count("README.md", mark), count("README.zh-CN.md", mark); en != zh {
			t.Errorf("README.md has %d of %q, README.zh-CN.md %d", en, mark, zh)
		}
	}
}

// The README's main job, as a newcomer does it: make run, then the curl lines.
func TestREADME(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"make", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	curls := lines(t, "README.md", "curl")
	if len(curls) != 3 {
		t.Fatalf("the README has %d curl lines", len(curls))
	}
	url, output := makeRun(t)
	for i, want := range []string{`{"queued":true}`, `{"queued":true}`, `{"error":"消息体含有不属于 JSON 的值或宿主专用记号"}`} {
		command := strings.Replace(curls[i], "http://127.0.0.1:8787", url, 1)
		got, err := exec.Command("sh", "-c", command+" -sS").CombinedOutput()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Fatalf("%s: %v, answered %s", command, err, got)
		}
	}
	deadline := time.Now().Add(20 * time.Second)
	for _, want := range []string{"rendered", "rendered", "retried", "passed"} {
		for !output.take(want) {
			if time.Now().After(deadline) {
				t.Fatalf("the guest did not print %q: %s", want, output.String())
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
}

// makeRun runs `make run` on a free port and a store of its own until the test
// ends, and returns its URL and what it prints.
func makeRun(t *testing.T) (string, *transcript) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	cmd := exec.CommandContext(ctx, "make", "run", "LISTEN=127.0.0.1:0", "STORE=sqlite:"+filepath.Join(t.TempDir(), "q.db"))
	cmd.Dir = "../.."
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // make's children end with it
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	read, write := io.Pipe()
	cmd.Stdout, cmd.Stderr = write, write
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	output := &transcript{}
	ended := make(chan error, 1)
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	url := make(chan string, 1)
	go func() {
		for s := bufio.NewScanner(read); s.Scan(); {
			output.add(s.Text())
			if m := listening.FindStringSubmatch(s.Text()); m != nil {
				url <- m[1]
			}
		}
	}()
	go func() {
		err := cmd.Wait()
		write.Close()
		ended <- err
	}()
	select {
	case u := <-url:
		return u, output
	case err := <-ended:
		ended <- err
		t.Fatalf("make run: %v: %s", err, output.String())
		return "", nil
	}
}

// transcript is what a process has printed.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *transcript) add(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.text.WriteString(line + "\n")
}

func (o *transcript) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// take reports whether a line with the word is there, and takes it out.
func (o *transcript) take(word string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	before, after, ok := bytes.Cut(o.text.Bytes(), []byte(word))
	if ok {
		o.text = *bytes.NewBuffer(append(bytes.Clone(before), after...))
	}
	return ok
}
