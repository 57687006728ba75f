package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/consumer"
	"github.com/wazqueue/wazqueue/hostfn"
)

// inFolder writes a configuration beside a program that could run.
func inFolder(t *testing.T, text string) (file string) {
	t.Helper()
	dir := t.TempDir()
	wasm, err := os.ReadFile("../../testdata/guests/command.wasm")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"app.wasm": wasm, "app.json": []byte(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "app.json")
}

func loadText(t *testing.T, text string) *config.Config {
	t.Helper()
	c, _, err := config.Load(inFolder(t, text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type noStore struct{ adapter.Adapter }

// What a file says of its consumers is what the engine is told (B-3 to B-8,
// B-32), its silence included, and the engine takes the ends of every range.
func TestConsumers(t *testing.T) {
	t.Parallel()
	c := loadText(t, `{"main":"app.wasm",
		"queues":{"consumers":[{"queue":"plain"},
		{"queue":"high","max_batch_size":100,"max_batch_timeout":60,"max_retries":100,"retry_delay":86400,
		 "dead_letter_queue":"dead","max_concurrency":250,"visibility_timeout_ms":43200000},
		{"queue":"low","max_batch_size":1,"max_batch_timeout":0,"max_retries":0,"retry_delay":0,
		 "max_concurrency":1,"visibility_timeout_ms":100}]},
		"wazqueue":{"limits":{"grace_seconds":0}}}`)
	got := consumers(program{file: c, log: silent}, noStore{})
	zero, sixty, none, hundred := time.Duration(0), time.Minute, 0, 100
	want := []consumer.Config{
		{Queue: "plain", Grace: 1},
		{Queue: "high", MaxBatchSize: 100, MaxBatchTimeout: &sixty, MaxRetries: &hundred, RetryDelay: 24 * time.Hour,
			DeadLetter: "dead", MaxConcurrency: 250, Lease: 12 * time.Hour, Grace: 1},
		{Queue: "low", MaxBatchSize: 1, MaxBatchTimeout: &zero, MaxRetries: &none, MaxConcurrency: 1,
			Lease: 100 * time.Millisecond, Grace: 1},
	}
	joined := cmpopts.IgnoreFields(consumer.Config{}, "Adapter", "Handler", "Alone", "Log", "Observe")
	if d := cmp.Diff(want, got, joined); d != "" {
		t.Error(d)
	}
	for _, k := range got {
		if k.Adapter != (noStore{}) || k.Handler == nil || k.Alone == nil || k.Log == nil {
			t.Errorf("%q is not joined to store and program", k.Queue)
		}
	}
	if err := consumer.Check(got...); err != nil {
		t.Error(err)
	}
}

func TestGrants(t *testing.T) {
	t.Parallel()
	c := loadText(t, `{"main":"app.wasm",
		"queues":{"producers":[{"binding":"A","queue":"a"},{"binding":"B","queue":"b"}]},
		"wazqueue":{"permissions":{"QUEUE":["A","GONE"]}}}`)
	want := hostfn.Grants{"A": {Queue: "a", Sender: noStore{}}, "GONE": {}}
	if d := cmp.Diff(want, grants(c, noStore{})); d != "" {
		t.Error(d)
	}
}

// A signal while starting is as good an end as one later.
func TestStoppedWhileStarting(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	file := inFolder(t, `{"main":"app.wasm"}`)
	var out, log bytes.Buffer
	if code := run(ctx, []string{"run", "-c", file}, nil, &out, &log); code != exitStopped {
		t.Errorf("exit code %d: %s", code, log.Bytes())
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), ".wazqueue")); err == nil {
		t.Error("the store was opened")
	}
}
