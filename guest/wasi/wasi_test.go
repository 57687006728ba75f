package wasi_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

const guests = "../../testdata/guests/"

func script(t *testing.T, g *guesttest.Guest, text string) []string {
	t.Helper()
	res, err := g.Fetch("POST", "http://host/", text)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(res.Body), "\n"), "\n")
}

func TestArgumentsAndEnvironment(t *testing.T) {
	t.Parallel()
	g := guesttest.LoadConfig(t, guests+"probe.wasm", guest.Config{
		Args: []string{"app", "", "中文"}, Env: map[string]string{"B": "2", "A": "中"}})
	want := []string{"args 0 3", "arg app", "arg ", "arg 中文", "env 0 2", "var A=中", "var B=2"}
	if d := cmp.Diff(want, script(t, g, "args\nenv")); d != "" {
		t.Error(d)
	}
	g = guesttest.Load(t, guests+"probe.wasm")
	if d := cmp.Diff([]string{"args 0 0", "env 0 0"}, script(t, g, "args\nenv")); d != "" {
		t.Error(d)
	}
}

func TestClocksAndRandomness(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"probe.wasm")
	before := time.Now().UnixNano()
	one := strings.Fields(script(t, g, "clock")[0])
	two := strings.Fields(script(t, g, "clock")[0])
	after := time.Now().UnixNano()
	if one[1] != "0" || number(t, one[2]) < before || number(t, two[2]) > after {
		t.Errorf("real time %v, %v outside %d to %d", one, two, before, after)
	}
	if number(t, two[3]) <= number(t, one[3]) {
		t.Errorf("the monotonic clock went from %s to %s", one[3], two[3])
	}
	a, b := script(t, g, "random 16"), script(t, g, "random 16")
	if len(a[0]) != len("random 0 ")+32 || a[0] == b[0] {
		t.Errorf("randomness: %q, %q", a, b)
	}
}

func TestSleep(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"probe.wasm")
	from := time.Now()
	if d := cmp.Diff([]string{"sleep 0"}, script(t, g, "sleep 30")); d != "" {
		t.Error(d)
	}
	if took := time.Since(from); took < 30*time.Millisecond {
		t.Errorf("slept %v", took)
	}
}

// Every function of the module is there; those of files and sockets find none.
func TestEveryFunctionAnswers(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"wasi.wasm")
	offered := map[string]string{
		"args_get": "0", "args_sizes_get": "0", "environ_get": "0", "environ_sizes_get": "0", "clock_res_get": "0",
		"clock_time_get": "0", "random_get": "0", "poll_oneoff": "0", "sched_yield": "0", "proc_raise": "52",
	}
	lines := script(t, g, "")
	if len(lines) < 45 {
		t.Fatalf("%d functions answered: %q", len(lines), lines)
	}
	for _, line := range lines {
		name, errno, _ := strings.Cut(line, " ")
		want, ok := offered[name]
		if !ok {
			want = "8"
		}
		if errno != want {
			t.Errorf("%s answered %s, want %s", name, errno, want)
		}
	}
	if res, err := g.Fetch("POST", "http://host/", "x"); err != nil || res.Status == 0 {
		t.Errorf("proc_exit(0): %v", err)
	}
}

func number(t *testing.T, s string) (n int64) {
	t.Helper()
	for _, c := range s {
		if c < '0' || c > '9' {
			t.Fatalf("%q is not a number", s)
		}
		n = n*10 + int64(c-'0')
	}
	return n
}
