package adaptertest_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/adaptertest"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

// breakIt names, in a process of its own, the fault that TestBroken builds in.
const breakIt = "WAZQUEUE_TEST_FAULT"

// TestFaultsAreFound runs the case that is to find a fault against an engine
// that has it, and fails when the case passes. The sound engine underneath
// passes all cases in its own tests.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for name, f := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out, err := runBroken(t, name, f.found)
			if err == nil || !strings.Contains(out, "--- FAIL: TestBroken/") {
				t.Errorf("%s did not find it:\n%s", f.found, out)
			}
		})
	}
}

// runBroken runs one case in another process, which fails as the case does.
func runBroken(t *testing.T, fault, path string) (string, error) {
	t.Helper()
	pattern := "^TestBroken$"
	for _, part := range strings.Split(path, "/") {
		pattern += "/^" + regexp.QuoteMeta(strings.ReplaceAll(part, " ", "_"))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "-test.run", pattern, "-test.v")
	cmd.Env = append(os.Environ(), breakIt+"="+fault)
	out, err := cmd.CombinedOutput()
	ran := bytes.Contains(out, []byte("TestBroken/"+strings.ReplaceAll(path, " ", "_")))
	if !ran || bytes.Contains(out, []byte("not this engine's case")) {
		t.Fatalf("there is no case %q, or it was skipped:\n%s", path, out)
	}
	return string(out), err
}

// TestBroken is the suite over the engine with the fault.
func TestBroken(t *testing.T) {
	t.Parallel()
	name := os.Getenv(breakIt)
	if name == "" {
		return // it is for TestFaultsAreFound's processes
	}
	adaptertest.Run(t, adaptertest.Harness{
		GoClock: true,
		New: func(*testing.T) func() adapter.Adapter {
			return func() adapter.Adapter {
				return faults[name].build(memory.Open())
			}
		},
	})
}
