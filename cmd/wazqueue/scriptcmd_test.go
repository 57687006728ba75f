package main

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for what must come.
const patience = 20 * time.Second

type runningKey struct{}

// running is a wazqueue run that a script has started.
type running struct {
	process *os.Process
	ended   chan struct{}
	code    int // once ended is closed
}

// of returns the last one.
func of(ts *testscript.TestScript) *running { return *ts.Value(runningKey{}).(**running) }

func arguments(ts *testscript.TestScript, neg bool, ok bool, usage string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", usage)
	}
}

// until repeats try, which is true when what it waits for is there.
func until(ts *testscript.TestScript, what string, try func() bool) {
	for end := time.Now().Add(patience); !try(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("%s: not within %v; the log:\n%s", what, patience, readAll(ts.MkAbs("log")))
		}
	}
}

func readAll(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}

// code runs a program to its end, which must be with the given exit code.
func code(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) > 1, "code N program [args...]")
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, not %s", got, args[0])
	}
}

var listening = regexp.MustCompile(`listening"?[ ,]"?url"?[=:]"?(http://[^\s"]+)`)

// start starts wazqueue run on a free port, its output in the files out and
// log, and waits until it listens: $URL is where.
func start(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) > 0, "start [flags of wazqueue run]")
	out, err := os.Create(ts.MkAbs("out"))
	ts.Check(err)
	log, err := os.Create(ts.MkAbs("log"))
	ts.Check(err)
	path, err := exec.LookPath("wazqueue")
	ts.Check(err)
	cmd := exec.Command(path, append([]string{"run", "--listen", "127.0.0.1:0"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), out, log
	ts.Check(cmd.Start())
	r := &running{process: cmd.Process, ended: make(chan struct{})}
	*ts.Value(runningKey{}).(**running) = r
	go func() {
		defer close(r.ended)
		_ = cmd.Wait()
		r.code = cmd.ProcessState.ExitCode()
		out.Close()
		log.Close()
	}()
	ts.Defer(func() {
		_ = cmd.Process.Kill()
		<-r.ended
	})
	until(ts, "listening", func() bool {
		select {
		case <-r.ended:
			ts.Fatalf("ended with %d; the log:\n%s", r.code, readAll(ts.MkAbs("log")))
		default:
		}
		m := listening.FindStringSubmatch(readAll(ts.MkAbs("log")))
		if m != nil {
			ts.Setenv("URL", m[1])
		}
		return m != nil
	})
}

// request sends an HTTP request with a file as its body, expects a status, and
// leaves the answer's body as stdout. With & it does not wait for the answer,
// which will be in the file answer.
func request(ts *testscript.TestScript, neg bool, args []string) {
	background := len(args) > 0 && args[len(args)-1] == "&"
	if background {
		args = args[:len(args)-1]
	}
	arguments(ts, neg, len(args) == 4, "http STATUS METHOD URL BODYFILE [&]")
	body, answer := ts.ReadFile(args[3]), ts.MkAbs("answer")
	send := func() (int, []byte, error) {
		r, err := http.NewRequest(args[1], args[2], strings.NewReader(body))
		if err != nil {
			return 0, nil, err
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, nil, err
		}
		defer res.Body.Close()
		got, err := io.ReadAll(res.Body)
		return res.StatusCode, got, err
	}
	if background {
		go func() {
			status, got, err := send()
			text := strconv.Itoa(status) + "\n" + string(got)
			if err != nil {
				text = err.Error()
			}
			_ = os.WriteFile(answer, []byte(text), 0o600)
		}()
		return
	}
	status, got, err := send()
	ts.Check(err)
	_, err = ts.Stdout().Write(got)
	ts.Check(err)
	if strconv.Itoa(status) != args[0] {
		ts.Fatalf("status %d, not %s; the log:\n%s", status, args[0], readAll(ts.MkAbs("log")))
	}
}

// await waits until a file holds what a regular expression matches.
func await(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 2, "await REGEXP FILE")
	want, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	until(ts, args[0], func() bool { return want.MatchString(readAll(ts.MkAbs(args[1]))) })
}

// occupy takes a port until the script ends: $TAKEN is its address.
func occupy(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 0, "occupy")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	ts.Setenv("TAKEN", l.Addr().String())
}

func sendSignal(ts *testscript.TestScript, neg bool, args []string) {
	known := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL}
	arguments(ts, neg, len(args) == 1 && known[args[0]] != 0, "signal TERM|INT|KILL")
	ts.Check(of(ts).process.Signal(known[args[0]]))
}

// ended waits for the started wazqueue to end with the given exit code. Its log
// is then stderr and what its programs printed stdout.
func ended(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, len(args) == 1, "ended CODE")
	r := of(ts)
	select {
	case <-r.ended:
	case <-time.After(patience):
		ts.Fatalf("it does not end; the log:\n%s", readAll(ts.MkAbs("log")))
	}
	_, err := io.WriteString(ts.Stdout(), readAll(ts.MkAbs("out")))
	ts.Check(err)
	_, err = io.WriteString(ts.Stderr(), readAll(ts.MkAbs("log")))
	ts.Check(err)
	if strconv.Itoa(r.code) != args[0] {
		ts.Fatalf("exit code %d, not %s", r.code, args[0])
	}
}
