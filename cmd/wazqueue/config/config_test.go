package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

// write puts the files, and a program for them, into a new folder.
func write(t testing.TB, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "app.wasm"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// lines are a message's lines with dir taken out.
func lines(dir, s string) []string {
	return strings.Split(strings.ReplaceAll(s, dir+string(filepath.Separator), ""), "\n")
}

func problems(dir string, err error) []string {
	if err == nil {
		return nil
	}
	return lines(dir, err.Error())
}

func ptr[T any](v T) *T { return &v }

// Every key that is known, with the comments and commas of JSONC (B-2, B-3).
const everything = "\xef\xbb\xbf" + `/* a */ {
	"$schema": "x", "name": "pages", "main": "./app.wasm", // b
	"queues": {
		"producers": [
			{ "binding": "P", "queue": "页", "delivery_delay": 1.5, "remote": false },
			{ "binding": "Q", "queue": "mail" },
		],
		"consumers": [{ "queue": "页", "type": "worker", "max_batch_size": 1e1, "max_batch_timeout": 0.25,
			"max_retries": 0, "dead_letter_queue": "d", "max_concurrency": null,
			"visibility_timeout_ms": 60000, "retry_delay": 86400 }, {"queue": "d", "max_concurrency": 250}]
	},
	"wazqueue": {
		"store": "sqlite:data/q.db?synchronous=normal", "permissions": { "QUEUE": ["P", "GONE"] },
		"limits": { "event_seconds": 0.5, "memory_mib": 64, "output_bytes": 1, "instances": 3, "grace_seconds": 0 },
		"env": { "A": "", "B": "b" },
	},
} // the end`

func TestLoadReadsEveryKey(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"app.jsonc": everything})
	file := filepath.Join(dir, "app.jsonc")
	c, warnings, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	at := config.Position{File: file, Line: 13, Key: "wazqueue.permissions.QUEUE[1]"}
	want := &config.Config{
		File: file, Name: "pages", Main: filepath.Join(dir, "app.wasm"),
		Producers: []config.Producer{
			{Binding: "P", Queue: "页", DeliveryDelay: ptr(1500 * time.Millisecond)},
			{Binding: "Q", Queue: "mail"},
		},
		Consumers: []config.Consumer{
			{Queue: "页", MaxBatchSize: 10, MaxBatchTimeout: ptr(250 * time.Millisecond), MaxRetries: ptr(0),
				DeadLetter: "d", Lease: time.Minute, RetryDelay: 24 * time.Hour},
			{Queue: "d", MaxConcurrency: 250},
		},
		Store: "sqlite:" + filepath.ToSlash(dir) + "/data/q.db?synchronous=normal",
		Permitted: []config.Permission{
			{Binding: "P", At: config.Position{File: file, Line: 13, Key: "wazqueue.permissions.QUEUE[0]"}},
			{Binding: "GONE", At: at},
		},
		Limits: config.Limits{Event: 500 * time.Millisecond, MemoryMiB: 64, OutputBytes: 1, Instances: 3},
		Env:    map[string]string{"A": "", "B": "b"},
	}
	if d := cmp.Diff(want, c, cmpopts.IgnoreTypes(config.Places{})); d != "" {
		t.Error(d)
	}
	wantWarnings := []config.Warning{{At: at, Text: `no producer has the binding "GONE"; its use ends the event`}}
	if d := cmp.Diff(wantWarnings, warnings); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"P": "页", "GONE": ""}, c.Bindings()); d != "" {
		t.Error(d)
	}
	if got := c.Consumers[1].At["max_concurrency"]; got.Line != 10 || got.Key != "queues.consumers[1].max_concurrency" {
		t.Errorf("place = %v", got)
	}
}

// The examples of the platform's guide are not defaults (B-9): what a file
// does not say stays zero for the engine, which has the defaults (B-4 to B-7).
func TestLoadDefaults(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"mail.jsonc": `{"main":"app.wasm","queues":{
		"producers":[{"binding":"M","queue":"mail"}],"consumers":[{"queue":"mail"}]}}`})
	c, warnings, err := config.Load(filepath.Join(dir, "mail.jsonc"))
	if err != nil || warnings != nil {
		t.Fatal(warnings, err)
	}
	want := &config.Config{
		File: c.File, Name: "mail", Main: filepath.Join(dir, "app.wasm"),
		Producers: []config.Producer{{Binding: "M", Queue: "mail"}},
		Consumers: []config.Consumer{{Queue: "mail"}},
		Limits: config.Limits{Event: 15 * time.Minute, MemoryMiB: 128, OutputBytes: 1 << 20, Instances: 250,
			Grace: 10 * time.Second},
	}
	if d := cmp.Diff(want, c, cmpopts.IgnoreTypes(config.Places{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[string]string{"M": "mail"}, c.Bindings()); d != "" {
		t.Error("without permissions every producer is permitted:", d)
	}
}

// permissions may take all bindings away; only their absence permits every one.
func TestBindings(t *testing.T) {
	t.Parallel()
	for permissions, want := range map[string]map[string]string{
		`{}`:                    {"A": "a", "B": "b"},
		`{"QUEUE":[]}`:          {},
		`{"QUEUE":["B"]}`:       {"B": "b"},
		`{"QUEUE":["C","A"]}`:   {"A": "a", "C": ""},
		`{"QUEUE":["A"],}//end`: {"A": "a"},
	} {
		dir := write(t, map[string]string{"a.json": `{"main":"app.wasm","queues":{"producers":[
			{"binding":"A","queue":"a"},{"binding":"B","queue":"b"}]},"wazqueue":{"permissions":` + permissions + "\n}}"})
		c, _, err := config.Load(filepath.Join(dir, "a.json"))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, c.Bindings()); d != "" {
			t.Errorf("%s: %s", permissions, d)
		}
	}
}

func TestUnknownTopLevelKeysGiveOneWarning(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"a.json": `{
		"compatibility_date": "2026-01-01", "main": "app.wasm",
		"kv_namespaces": [{"binding": 1, "binding": 2}], "odd key": null}`})
	_, warnings, err := config.Load(filepath.Join(dir, "a.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range warnings {
		got = append(got, lines(dir, w.String())...)
	}
	want := []string{`a.json:2: unknown keys are ignored: compatibility_date, kv_namespaces, "odd key"`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
