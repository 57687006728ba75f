package consumer_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// B-4 to B-7, B-41, B-44, B-46: the ranges, and that both of their ends pass.
func TestCheckRanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		c    consumer.Config
		want string // what the error names, none where it is empty
	}{
		{"zero values", consumer.Config{}, ""},
		{"least", consumer.Config{MaxBatchSize: 1, MaxBatchTimeout: new(time.Duration(0)), MaxRetries: new(0), MaxConcurrency: 1, Lease: 100 * time.Millisecond, Grace: 1}, ""},
		{"most", consumer.Config{MaxBatchSize: 100, MaxBatchTimeout: new(time.Minute), MaxRetries: new(100), RetryDelay: 24 * time.Hour, MaxConcurrency: 250, Lease: 12 * time.Hour}, ""},
		{"fractions", consumer.Config{MaxBatchTimeout: new(1500 * time.Millisecond)}, ""},
		{"queue", consumer.Config{Queue: "\xff"}, "Queue is not valid UTF-8"},
		{"dead letters", consumer.Config{DeadLetter: "\xff"}, `DeadLetter "\xff" is not valid UTF-8`},
		{"size below", consumer.Config{MaxBatchSize: -1}, "MaxBatchSize -1 is outside 1..100"},
		{"size above", consumer.Config{MaxBatchSize: 101}, "MaxBatchSize 101 is outside 1..100"},
		{"timeout below", consumer.Config{MaxBatchTimeout: new(time.Duration(-1))}, "MaxBatchTimeout -1ns is outside 0..60s"},
		{"timeout above", consumer.Config{MaxBatchTimeout: new(time.Minute + 1)}, "MaxBatchTimeout 1m0.000000001s is outside 0..60s"},
		{"retries below", consumer.Config{MaxRetries: new(-1)}, "MaxRetries -1 is outside 0..100"},
		{"retries above", consumer.Config{MaxRetries: new(101)}, "MaxRetries 101 is outside 0..100"},
		{"delay below", consumer.Config{RetryDelay: -1}, "RetryDelay -1ns is outside 0..24h"},
		{"delay above", consumer.Config{RetryDelay: 24*time.Hour + 1}, "RetryDelay 24h0m0.000000001s is outside 0..24h"},
		{"concurrency below", consumer.Config{MaxConcurrency: -1}, "MaxConcurrency -1 is outside 1..250"},
		{"concurrency above", consumer.Config{MaxConcurrency: 251}, "MaxConcurrency 251 is outside 1..250"},
		{"lease below", consumer.Config{Lease: time.Millisecond}, "Lease 1ms is outside 100ms..12h"},
		{"lease above", consumer.Config{Lease: 13 * time.Hour}, "Lease 13h0m0s is outside 100ms..12h"},
		{"grace", consumer.Config{Grace: -1}, "Grace -1ns is negative"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.c.Queue == "" {
				tt.c.Queue = "q"
			}
			var got string
			if err := consumer.Check(tt.c); err != nil {
				got = strings.TrimPrefix(err.Error(), `consumer of queue "q": `)
			}
			if tt.want == "" && got != "" || !strings.HasSuffix(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestCheckNamesEverything(t *testing.T) {
	t.Parallel()
	err := consumer.Check(consumer.Config{MaxBatchSize: 101, MaxRetries: new(-1)}, consumer.Config{Queue: "b", Grace: -1})
	want := `consumer of queue "": Queue is empty
consumer of queue "": MaxBatchSize 101 is outside 1..100
consumer of queue "": MaxRetries -1 is outside 0..100
consumer of queue "b": Grace -1ns is negative`
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Error(d)
	}
}

// Two consumers of a queue, and dead letters that come back.
func TestCheckTogether(t *testing.T) {
	t.Parallel()
	pairs := func(s string) []consumer.Config { // "queue>dead letters"
		var cs []consumer.Config
		for p := range strings.FieldsSeq(s) {
			q, dead, _ := strings.Cut(p, ">")
			cs = append(cs, consumer.Config{Queue: q, DeadLetter: dead})
		}
		return cs
	}
	tests := []struct{ name, consumers, want string }{
		{"none", "", ""},
		{"a chain", "a>b b>c c", ""},
		{"dead letters of two in one", "a>c b>c c", ""},
		{"dead letters without a consumer", "a>b c>b", ""},
		{"itself", "a>a", `dead letters would go round for ever: "a" → "a"`},
		{"there and back", "a>b b>a", `dead letters would go round for ever: "a" → "b" → "a"`},
		{"a long way, with a way in", "x>a a>b b>c c>a", `dead letters would go round for ever: "a" → "b" → "c" → "a"`},
		{"two cycles", "a>b b>a c>c", `dead letters would go round for ever: "a" → "b" → "a"` + "\n" + `dead letters would go round for ever: "c" → "c"`},
		{"twice", "a b a", `two consumers of queue "a": run it with a higher MaxConcurrency instead`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got string
			if err := consumer.Check(pairs(tt.consumers)...); err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	a := memory.Open()
	t.Cleanup(func() { a.Close() })
	handler := func(context.Context, *batch.Batch) error { return nil }
	brief := &faulty{Adapter: a, caps: func(c *adapter.Capabilities) { c.MaxDelay = time.Hour }}
	tests := []struct {
		name string
		c    consumer.Config
		want string
	}{
		{"no adapter", consumer.Config{Queue: "q", Handler: handler}, `consumer of queue "q": Adapter is nil`},
		{"no handler", consumer.Config{Queue: "q", Adapter: a}, `consumer of queue "q": Handler is nil`},
		{"what Check refuses", consumer.Config{Queue: "q", Adapter: a, Handler: handler, DeadLetter: "q"}, `dead letters would go round for ever: "q" → "q"`},
		{"a delay the store refuses", consumer.Config{Queue: "q", Adapter: brief, Handler: handler, RetryDelay: 2 * time.Hour},
			`consumer of queue "q": RetryDelay 2h0m0s is longer than its store takes (1h0m0s)`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := consumer.Run(t.Context(), tt.c)
			if err == nil {
				t.Fatal("Run returned nil")
			}
			if d := cmp.Diff(tt.want, err.Error()); d != "" {
				t.Error(d)
			}
		})
	}
}
