package guestexamples

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest-examples/go/page"
	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// every message gets the mark it should, and a line says so.
func TestBatchesAreHandled(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		d := g.DeliverRaw("page-render",
			adapter.Delivery{ID: "aa", Attempts: 1, Body: []byte(job)},
			adapter.Delivery{ID: "bb", Attempts: 2, Body: []byte(`{"url":"/fail","version":"v8"}`)},
			adapter.Delivery{ID: "cc", Attempts: 12, Body: []byte(`{"url":"/fail","version":"v8"}`)},
			adapter.Delivery{ID: "dd", Attempts: 3, Body: []byte(`{"url":"/release/x","version":"v7"}`)},
			adapter.Delivery{ID: "ee", Attempts: 1, Body: []byte(`{"url":"/pass","version":"v8"}`)},
			adapter.Delivery{ID: "ff", Attempts: 1, Body: []byte(`"{\"url\":\"/release/x\",\"version\":\"v8\"}"`)},
			adapter.Delivery{ID: "gg", Attempts: 1, Body: []byte(`{"\udead":"\udc00","url":"/x\ud800","version":"v8"}`)},
		)
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		if diff := cmp.Diff([]int{0, 3, 5, 6}, d.Acked()); diff != "" {
			t.Error("acked", diff)
		}
		if diff := cmp.Diff([]int{1, 2}, d.Retried()); diff != "" {
			t.Error("retried", diff)
		}
		if diff := cmp.Diff([]time.Duration{60 * time.Second, 240 * time.Second}, []time.Duration{d.Delay(1), d.Delay(2)}); diff != "" {
			t.Error("delays", diff)
		}
		const lines = "rendered aa attempts 1\nretried bb attempts 2\nretried cc attempts 12\nskipped dd attempts 3\npassed ee attempts 1\nskipped ff attempts 1\nrendered gg attempts 1\n"
		if diff := cmp.Diff(lines, g.Stdout()); diff != "" {
			t.Error("stdout", diff)
		}
	})
}

// an exception that no one catches is the event's failure.
func TestUncaughtExceptionsFail(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		d := g.DeliverRaw("page-render", adapter.Delivery{Attempts: 1, Type: adapter.Bytes, Body: []byte{0}})
		if d.Err == nil {
			t.Error("the event ended well")
		}
		const text = "队列消息正文不是 JSON 值：序号 0"
		said := g.Stderr()
		if strings.HasSuffix(t.Name(), "/js") {
			said = d.Err.Error() // its engine knows the exception, and the log gets it with the stack
		}
		if !strings.HasSuffix(t.Name(), "/wat") && !strings.Contains(said, text) {
			t.Errorf("said %q", said)
		}
	})
}

// Every guest must judge any body as page.Judge does here: bodies full of
// what looks like structure, and batches that are larger than any first buffer.
func TestAnyBodyIsJudgedAlike(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			var ds []adapter.Delivery
			for range 1 + r.IntN(100) {
				body, err := json.Marshal(value(r, 0))
				if err != nil {
					t.Fatal(err)
				}
				ds = append(ds, adapter.Delivery{Attempts: 1 + r.IntN(6), Body: body})
			}
			d := g.DeliverRaw("queue \"],[{", ds...)
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			for i, in := range ds {
				want := page.Judge(wazqueue.Message{Attempts: in.Attempts, Body: in.Body})
				got := d.Batch.Mark(i)
				verb := map[int]batch.Verb{page.Leave: batch.Unmarked, page.Ack: batch.Acked, page.Retry: batch.Retried}[want.Mark]
				if got.Verb != verb || got.Delay != time.Duration(want.Delay)*time.Second {
					t.Errorf("%s: %v %v, want %s", in.Body, got.Verb, got.Delay, fmt.Sprint(want))
				}
			}
		}
	})
}

// value makes a JSON value out of what could confuse a guest.
func value(r *rand.Rand, depth int) any {
	words := []string{"", "v8", "/x", "/pass", "/fail", "version", "url", "}", "]", ",", ":", "\"", "\\", "\\\"", `{"version":"v8"}`, "页\x00\n<&>", strings.Repeat("x", 700)}
	switch n := r.IntN(10); {
	case n < 4 && depth < 4 || depth == 0 && n < 9:
		m := map[string]any{}
		if r.IntN(4) > 0 {
			m["version"], m["url"] = "v8", words[2+r.IntN(3)]
		}
		for range r.IntN(5) {
			m[words[r.IntN(len(words))]] = value(r, depth+1)
		}
		return m
	case n < 6 && depth < 4:
		list := []any{}
		for range r.IntN(5) {
			list = append(list, value(r, depth+1))
		}
		return list
	case n < 8:
		return words[r.IntN(len(words))]
	default:
		return []any{nil, true, false, 0, -1.5, 1e21, 1e-7, 8}[r.IntN(8)]
	}
}
