package guest_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
	"github.com/wazqueue/wazqueue/hostfn"
)

const guests = "../testdata/guests/"

// probe loads the guest that carries out scripts.
func probe(t testing.TB, c guest.Config) *guesttest.Guest {
	t.Helper()
	return guesttest.LoadConfig(t, guests+"probe.wasm", c, "PAGE_QUEUE")
}

// script runs a probe script in a fetch event and returns its result lines.
func script(t testing.TB, g *guesttest.Guest, text string) ([]string, error) {
	t.Helper()
	res, err := g.Fetch("POST", "http://host/", text)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(res.Body), "\n"), "\n"), nil
}

// mustScript is script for events that end well.
func mustScript(t testing.TB, g *guesttest.Guest, text string) []string {
	t.Helper()
	lines, err := script(t, g, text)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// nothing that an event leaves in memory is there in the next.
func TestEveryEventGetsAnInstanceOfItsOwn(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	for range 3 {
		if d := cmp.Diff([]string{"count 1", "count 2"}, mustScript(t, g, "count\ncount\n")); d != "" {
			t.Fatal(d)
		}
	}
}

// Whatever a guest does, its event ends in a failure with a reason, nothing
// reaches a queue, and the program serves the next event.
func TestHostileGuests(t *testing.T) {
	t.Parallel()
	const send = "\nsend PAGE_QUEUE 0 1\n1" // never reached
	tests := []struct {
		name, script string
		how          guest.How
		is           error  // what the error wraps, if anything
		text         string // part of the error's text
	}{
		{"unreachable", "trap" + send, guest.Trapped, nil, "unreachable"},
		{"endless loop", "loop" + send, guest.TimedOut, context.DeadlineExceeded, "timed out"},
		{"endless recursion", "recurse" + send, guest.Trapped, nil, "out of bounds memory access"},
		{"endless output", "printforever 1 x" + send, guest.TimedOut, context.DeadlineExceeded, "timed out"},
		{"endless sleep", "sleep 9223372036854775807" + send, guest.TimedOut, context.DeadlineExceeded, "timed out"},
		{"exit 3", "exit 3" + send, guest.Exited, nil, "exited with code 3"},
		{"exit with the code wazero uses for time limits", "exit 4026531839" + send, guest.Exited, nil, "exited with code 4026531839"},
		{"entry returns non-zero", "fail", guest.Failed, nil, "returned 1"},
		{"A-8 binding not permitted", "send OTHER 0 1\n1", guest.Aborted, bridge.Abort("未授权的QUEUE绑定：OTHER"), "未授权的QUEUE绑定：OTHER"},
		{"A-8 binding that is not UTF-8", "send %ff 0 1\n1", guest.Aborted, bridge.Abort("未授权的QUEUE绑定：\uFFFD"), ""},
		{"binding beyond memory", "rawsend end 1 0 1 0", guest.Aborted, bridge.ErrRange, ""},
		{"body beyond memory", "rawsend 0 1 end-1 2 0", guest.Aborted, bridge.ErrRange, ""},
		{"range that wraps", "rawsend 0 1 -1 -1 0", guest.Aborted, bridge.ErrRange, ""},
		{"range before the empty name", "rawsend 0 0 end 1 0", guest.Aborted, bridge.ErrRange, ""},
		{"batch beyond memory", "rawbatch 0 1 -1 5", guest.Aborted, bridge.ErrRange, ""},
		{"read_batch buffer beyond memory", "rawread end-3 4", guest.Aborted, bridge.ErrRange, ""},
		{"event_kind buffer beyond memory", "rawkind end 1", guest.Aborted, bridge.ErrRange, ""},
		{"read_request buffer that wraps", "rawrequest -1 -1", guest.Aborted, bridge.ErrRange, ""},
		{"read_body buffer beyond memory", "rawbody end-1 2", guest.Aborted, bridge.ErrRange, ""},
		{"exception_message buffer beyond memory", "rawexception end 1", guest.Aborted, bridge.ErrRange, ""},
		{"respond headers beyond memory", "rawrespond 200 end 1 0 0", guest.Aborted, bridge.ErrRange, ""},
		{"respond body beyond memory", "rawrespond 200 0 0 end 1", guest.Aborted, bridge.ErrRange, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := probe(t, guest.Config{EventTime: time.Second})
			_, err := script(t, g, tt.script)
			failure, ok := errors.AsType[*guest.Error](err)
			if !ok {
				t.Fatalf("ended with %v", err)
			}
			if failure.How != tt.how {
				t.Errorf("how = %v, want %v: %v", failure.How, tt.how, err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v is not %v", err, tt.is)
			}
			if !strings.Contains(err.Error(), tt.text) {
				t.Errorf("error %q does not say %q", err, tt.text)
			}
			if sends := g.Sends(); sends != nil {
				t.Errorf("sent %v", sends)
			}
			if d := cmp.Diff([]string{"count 1"}, mustScript(t, g, "count")); d != "" {
				t.Errorf("the next event: %s", d)
			}
		})
	}
}

// Recursion that needs no memory of the guest's ends where the host's stack does.
func TestRecursionWithoutMemory(t *testing.T) {
	t.Parallel()
	endless := []byte("\x00asm\x01\x00\x00\x00" + // (module (func (export "fetch") (call 0)))
		"\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + "\x07\x09\x01\x05fetch\x00\x00" + "\x0a\x06\x01\x04\x00\x10\x00\x0b")
	p, err := guest.Load(t.Context(), endless, guest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	for range 2 {
		err := p.Run(t.Context(), &hostfn.Event{Kind: hostfn.KindFetch})
		if failure, ok := errors.AsType[*guest.Error](err); !ok || failure.How != guest.Trapped || !strings.Contains(err.Error(), "stack overflow") {
			t.Errorf("ended with %.200v", err)
		}
	}
}

func TestGoodEnds(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	if _, err := script(t, g, "exit 0"); err != nil {
		t.Errorf("exit 0: %v", err)
	}
	// An empty range may point anywhere.
	got := mustScript(t, g, "rawsend end+5 0 -1 0 0\nrawkind -1 0\n")
	if d := cmp.Diff([]string{"rawsend 1 队列绑定名不得为空", "rawkind 5"}, got); d != "" {
		t.Error(d)
	}
}

// A memory bomb gets no more than its limit, and is told so.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{MemoryMiB: 8})
	if d := cmp.Diff([]string{"grow 128"}, mustScript(t, g, "grow")); d != "" {
		t.Error(d)
	}
}

func TestStop(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	cause := errors.New("the process is stopping")
	for _, text := range []string{"loop", "sleep 3600000"} {
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(50*time.Millisecond, func() { cancel(cause) })
		err := g.Program.Run(ctx, &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{Body: []byte(text)}})
		failure, ok := errors.AsType[*guest.Error](err)
		if !ok || failure.How != guest.Stopped || !errors.Is(err, cause) {
			t.Errorf("%s: ended with %v", text, err)
		}
	}
}

// A send that blocks until the event's time is up ends the event.
func TestTimeIsUpInsideASend(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{EventTime: 50 * time.Millisecond})
	ev := &hostfn.Event{
		Kind:    hostfn.KindFetch,
		Grants:  hostfn.Grants{"PAGE_QUEUE": {Queue: "q", Sender: stuck{}}},
		Request: &hostfn.Request{Body: []byte("send PAGE_QUEUE 0 1\n1\nrespond 200 2 0\n[]")},
	}
	err := g.Program.Run(t.Context(), ev)
	if failure, ok := errors.AsType[*guest.Error](err); !ok || failure.How != guest.TimedOut {
		t.Errorf("ended with %v", err)
	}
	if ev.Response != nil {
		t.Error("the guest went on after its time")
	}
}

type stuck struct{}

func (stuck) Send(ctx context.Context, _ string, _ ...adapter.Message) error {
	<-ctx.Done()
	return ctx.Err()
}

// Marks that were made before a failure stand.
func TestMarksSurviveAFailure(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	d := g.Deliver("q", `"ack 0\nretry 1 30\ntrap\n"`, `1`, `2`)
	if failure, ok := errors.AsType[*guest.Error](d.Err); !ok || failure.How != guest.Trapped {
		t.Fatalf("ended with %v", d.Err)
	}
	if diff := cmp.Diff([]int{0}, d.Acked()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{1}, d.Retried()); diff != "" {
		t.Error(diff)
	}
	if d.Delay(1) != 30*time.Second || d.Batch.Mark(2).Verb != batch.Unmarked {
		t.Errorf("marks: %v, %v", d.Batch.Mark(1), d.Batch.Mark(2))
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"command.wasm")
	res, err := g.Fetch("GET", "http://host/", "")
	if err != nil || res.Status != 204 {
		t.Errorf("command, fetch: %v, %v", res, err)
	}
	if d := g.Deliver("q", `{}`); d.Err != nil {
		t.Errorf("command, queue: %v", d.Err)
	}
	if err := g.Program.Run(t.Context(), &hostfn.Event{Kind: "cron"}); err != nil {
		t.Errorf("command, another kind: %v", err)
	}
	if want, got := "kind fetch\nkind queue\nkind cron\n", g.Stdout(); got != want {
		t.Errorf("printed %q", got)
	}

	g = guesttest.Load(t, guests+"result-i32.wasm")
	_, err = g.Fetch("GET", "http://host/", "")
	if failure, ok := errors.AsType[*guest.Error](err); !ok || failure.How != guest.Failed || failure.Code != 7 {
		t.Errorf("entry returns 7: %v", err)
	}
	if err := g.Program.Run(t.Context(), &hostfn.Event{Kind: "cron"}); err == nil || !strings.Contains(err.Error(), "no entry for cron events") {
		t.Errorf("no entry: %v", err)
	}
}

// All functions work under their ASCII names.
func TestASCIINames(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"ascii.wasm", "PAGE_QUEUE")
	res, err := g.Fetch("GET", "http://host/", "")
	if err != nil || res.Status != 202 {
		t.Fatalf("fetch: %v, %v", res, err)
	}
	want := []guesttest.Send{{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: `{"ascii":true}`}}}}
	if d := cmp.Diff(want, g.Sends()); d != "" {
		t.Error(d)
	}
	if d := g.Deliver("q", "1"); d.Err != nil || len(d.Acked()) != 1 {
		t.Errorf("queue: %v, acked %v", d.Err, d.Acked())
	}
}

// A module without memory can offer no pointers that would be inside.
func TestModuleWithoutMemory(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"nomem.wasm", "PAGE_QUEUE")
	if d := g.Deliver("q", "1"); !errors.Is(d.Err, bridge.ErrRange) {
		t.Errorf("read_batch: %v", d.Err)
	}
	// Four zeros are an empty name, at no address.
	if _, err := g.Fetch("GET", "http://host/", ""); err != nil {
		t.Errorf("send: %v", err)
	}
}

// A program is not taken from under an event that does not end: Close says so.
func TestCloseWaitsForEvents(t *testing.T) {
	t.Parallel()
	stuck := &blocked{began: make(chan struct{}), end: make(chan struct{})}
	p, err := guest.Load(t.Context(), module(t, "probe"), guest.Config{Stdout: stuck})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	run := func() error {
		return p.Run(t.Context(), &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{Body: []byte("print 1 1 x")}})
	}
	go func() { ended <- run() }()
	<-stuck.began
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := p.Close(ctx); err == nil {
		t.Error("the program was closed while an event ran")
	}
	if err := run(); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("an event after Close: %v", err)
	}
	close(stuck.end)
	if err := <-ended; err != nil {
		t.Errorf("the event that ran: %v", err)
	}
}

// blocked is a terminal that takes its time.
type blocked struct{ began, end chan struct{} }

func (b *blocked) Write(text []byte) (int, error) {
	close(b.began)
	<-b.end
	return len(text), nil
}

// The caller's own deadline stops the guest, and is not the program's limit.
func TestCallersDeadlineIsAStop(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	for range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
		err := g.Program.Run(ctx, &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{Body: []byte("loop")}})
		cancel()
		if failure, ok := errors.AsType[*guest.Error](err); !ok || failure.How != guest.Stopped || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("ended with %v", err)
		}
	}
}

// The entry of an embedder's own kind has its type checked too.
func TestOtherKindsHaveTypedEntries(t *testing.T) {
	t.Parallel()
	// (module (func (export "cron") (param i32)))
	wasm := []byte("\x00asm\x01\x00\x00\x00\x01\x05\x01\x60\x01\x7f\x00\x03\x02\x01\x00\x07\x08\x01\x04cron\x00\x00\x0a\x04\x01\x02\x00\x0b")
	const want = "export cron has the type (i32) → ()"
	if _, err := guest.Load(t.Context(), wasm, guest.Config{Needs: []string{"cron"}}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("needed: %v", err)
	}
	p, err := guest.Load(t.Context(), wasm, guest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(t.Context())
	if err := p.Run(t.Context(), &hostfn.Event{Kind: "cron"}); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("called: %v", err)
	}
}
