package adaptertest

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

var sendTests = []test{
	{name: "first in, first out", run: func(e *env) {
		e.send(q, "a")
		e.send(q, "b", "c", "d")
		e.send(q, "e")
		e.take(q, "a", "b", "c", "d", "e")
	}},
	{name: "without messages does nothing", run: func(e *env) {
		if err := e.a.Send(e.ctx, q); err != nil {
			e.Errorf("Send: %v", err)
		}
		if e.caps.Control {
			_, err := e.a.Stats(e.ctx, q)
			e.failed("Stats of a queue nothing was sent to", err, adapter.ErrQueueNotFound)
		}
	}},
	{name: "copies bodies", run: func(e *env) {
		ms := texts("one", "two")
		e.sendMessages(q, ms...)
		for i := range ms {
			copy(ms[i].Body, "XXX")
			ms[i] = adapter.Message{}
		}
		single := []byte("three")
		e.sendMessages(q, adapter.Message{Type: adapter.Text, Body: single})
		copy(single, "XXXXX")
		e.take(q, "one", "two", "three")
	}},
	{name: "bodies and types come back (A-21, A-57)", run: sendBodies},
	{name: "500 messages at once", run: func(e *env) {
		if e.caps.MaxSend > 0 && e.caps.MaxSend < 500 {
			e.Log("not this engine's case: more than MaxSend")
			return
		}
		bodies := numbered("m", 500)
		e.send(q, bodies...)
		e.counts(q, 500, 0, 0)
		ds := e.receive(q, 500)
		e.bodies(ds, bodies...)
		e.counts(q, 0, 0, 500)
		e.settle(q, ack(ds...)...)
		e.counts(q, 0, 0, 0)
	}},
	{name: "ids are 32 lower-case hex digits and differ", run: func(e *env) {
		hex := regexp.MustCompile(`^[0-9a-f]{32}$`)
		seen := map[string]bool{}
		for range 4 {
			e.send(q, numbered("m", 20)...)
			e.send(q, "single")
			e.send("other", "single")
		}
		for _, d := range append(e.receive(q, 100), e.receive("other", 100)...) {
			if !hex.MatchString(d.ID) || seen[d.ID] {
				e.Errorf("id %q is malformed or not unique", d.ID)
			}
			seen[d.ID] = true
		}
		if len(seen) != 4*22 {
			e.Errorf("%d ids, want %d", len(seen), 4*22)
		}
	}},
	{name: "enqueued is the time of the send in whole milliseconds (A-38)", run: func(e *env) {
		time.Sleep(1700 * time.Microsecond)
		before := time.Now()
		e.sendMessages(q, texts("now")[0], delayed(e.ticks(2), "later"))
		after := time.Now()
		e.sleep(2.5)
		for _, d := range e.take(q, "now", "later") {
			if d.Enqueued.Nanosecond()%int(time.Millisecond) != 0 {
				e.Errorf("%s: enqueued at %v, want whole milliseconds", d.Body, d.Enqueued)
			}
			lo, hi := before.Add(-time.Millisecond-e.early), after.Add(time.Millisecond+e.early)
			if d.Enqueued.Before(lo) || d.Enqueued.After(hi) {
				e.Errorf("%s: enqueued at %v, want between %v and %v", d.Body, d.Enqueued, lo, hi)
			}
		}
	}},
	{name: "a new message was not moved and is on its first attempt (B-22)", run: func(e *env) {
		e.send(q, "a", "b")
		ds := e.take(q, "a", "b")
		e.attempts(ds, 1)
		for _, d := range ds {
			if d.Origin != (adapter.Origin{}) {
				e.Errorf("origin %+v, want none", d.Origin)
			}
		}
	}},
	{name: "a send becomes visible whole", run: sendWhole},
	{name: "64 callers lose nothing and keep their order", run: func(e *env) {
		const callers, each = 64, 3
		var wg sync.WaitGroup
		for i := range callers {
			wg.Go(func() {
				for j := range each {
					e.send(q, fmt.Sprintf("%d %d", i, j))
				}
			})
		}
		wg.Wait()
		var next [callers]int
		ds := e.receive(q, 1000)
		for _, d := range ds {
			var caller, message int
			if _, err := fmt.Sscanf(string(d.Body), "%d %d", &caller, &message); err != nil {
				e.Fatalf("body %q: %v", d.Body, err)
			}
			if message != next[caller] {
				e.Errorf("caller %d: message %d, want %d", caller, message, next[caller])
			}
			next[caller]++
		}
		if len(ds) != callers*each {
			e.Errorf("%d messages, want %d", len(ds), callers*each)
		}
	}},
}

func sendBodies(e *env) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	want := []adapter.Message{
		{Type: adapter.JSON, Body: []byte(`{"a":"],[","b":{"body":1},"c":"\"\\"}`)},
		{Type: adapter.JSON, Body: []byte(`"\ud800"`)},
		{Type: adapter.Text, Body: []byte("消息 \x00 'quoted' \\ \r\n")},
		{Type: adapter.Text, Body: []byte{}},
		{Type: adapter.Bytes, Body: []byte{}},
		{Type: adapter.Bytes, Body: all},
		{Type: adapter.Bytes, Body: []byte{0xff, 0xfe, 0}},
		{Type: adapter.JSON, Body: []byte(`"` + strings.Repeat("x", 127998) + `"`)},
		{Type: adapter.Bytes, Body: bytes.Repeat([]byte{0xc3}, 128000)},
	}
	check := func(ds []adapter.Delivery) {
		e.Helper()
		if len(ds) != len(want) {
			e.Fatalf("%d messages, want %d", len(ds), len(want))
		}
		for i, d := range ds {
			if d.Type != want[i].Type || !bytes.Equal(d.Body, want[i].Body) {
				e.Errorf("message %d: %v of %d bytes %.40q, want %v of %d bytes %.40q",
					i, d.Type, len(d.Body), d.Body, want[i].Type, len(want[i].Body), want[i].Body)
			}
		}
	}
	for _, m := range want {
		e.sendMessages(q, m)
	}
	check(e.receive(q, 100))
	e.sendMessages("together", want...)
	check(e.receive("together", 100))
	e.sendMessages("nil", adapter.Message{Type: adapter.Text})
	if ds := e.take("nil", ""); ds[0].Type != adapter.Text {
		e.Errorf("type %v, want text", ds[0].Type)
	}
}

// sendWhole receives while batches of 10 are sent: since a send is all or
// none, no call may see a part of one.
func sendWhole(e *env) {
	const batches, size = 30, 10
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	e.at(0, func() {
		for range batches {
			e.send(q, numbered("m", size)...)
			e.sleep(0.01)
		}
	})
	for got := 0; got < batches*size; {
		ds, err := e.a.Receive(ctx, q, adapter.ReceiveOptions{Max: 1000, Wait: e.ticks(50), Lease: e.ticks(3600)})
		if err != nil || len(ds) == 0 || len(ds)%size != 0 {
			e.Fatalf("received %d messages, error %v, want whole sends of %d", len(ds), err, size)
		}
		got += len(ds)
	}
}
