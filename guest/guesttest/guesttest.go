// Package guesttest lets the author of a guest write go test against the
// compiled module, or the script: make a request, deliver a batch, and look at what was sent,
// acked and retried. The module runs as in the runtime, every event in an
// instance of its own; only the queues behind its bindings are recorded instead
// of kept.
package guesttest

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
	"github.com/wazqueue/wazqueue/hostfn"
)

// compilations is shared by all loads of a test binary: large modules take
// seconds to compile.
var compilations = sync.OnceValue(wazero.NewCompilationCache)

// Guest is a loaded module with recording queues behind its bindings.
type Guest struct {
	// Program is the module itself, for what the kit has no shorthand for.
	Program *guest.Program
	// Grants are the bindings given to Load.
	Grants hostfn.Grants

	stdout  bytes.Buffer
	stderr  bytes.Buffer
	mu      sync.Mutex
	sends   []Send
	refusal string
	failure error
}

// Send is one call of send or send_batch that reached a queue.
type Send struct {
	Binding  string
	Messages []Message
}

// Message is one sent message: its canonical JSON, and its delay, 0 for none.
type Message struct {
	Body  string
	Delay time.Duration
}

// Load compiles the module or the script (.js, .mjs) in file and permits it to
// use the bindings. One that the runtime would refuse fails the test. Everything is freed at its end.
func Load(t testing.TB, file string, bindings ...string) *Guest {
	t.Helper()
	return LoadConfig(t, file, guest.Config{}, bindings...)
}

// LoadConfig is Load with the limits, arguments and environment of c. Output
// that c does not redirect is kept for Stdout and Stderr.
func LoadConfig(t testing.TB, file string, c guest.Config, bindings ...string) *Guest {
	t.Helper()
	code, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g := &Guest{Grants: hostfn.Grants{}}
	for _, name := range bindings {
		g.Grants[name] = hostfn.Binding{Queue: name, Sender: recorder{g, name}}
	}
	if c.Stdout == nil {
		c.Stdout = &g.stdout
	}
	if c.Stderr == nil {
		c.Stderr = &g.stderr
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	if c.Cache == nil {
		c.Cache = compilations()
	}
	ctx := context.Background()
	if javascript.Is(file) {
		g.Program, err = javascript.Load(ctx, code, filepath.Base(file), c)
	} else {
		g.Program, err = guest.Load(ctx, code, c)
	}
	if err != nil {
		t.Fatalf("load %s: %v", file, err)
	}
	t.Cleanup(func() { g.Program.Close(ctx) })
	return g
}

// Sends lists what the guest has sent so far, in order.
func (g *Guest) Sends() []Send {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Send(nil), g.sends...)
}

// Refuse makes every send from now on fail as a queue refuses it: the guest
// gets an exception with this reason. An empty reason lets sends pass again.
func (g *Guest) Refuse(reason string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refusal = reason
}

// Break makes every send from now on fail with err, as a queue that is not
// reachable does. A nil err mends it.
func (g *Guest) Break(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.failure = err
}

// Stdout returns what the guest has printed so far. No event may be running.
func (g *Guest) Stdout() string { return g.stdout.String() }

// Stderr returns what the guest has printed to standard error so far. No event
// may be running.
func (g *Guest) Stderr() string { return g.stderr.String() }

// recorder is the queue behind one binding.
type recorder struct {
	guest *Guest
	name  string
}

// Send implements hostfn.Sender.
func (r recorder) Send(_ context.Context, _ string, msgs ...adapter.Message) error {
	g := r.guest
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.failure != nil:
		return g.failure
	case g.refusal != "":
		return adapter.Refused{Reason: g.refusal}
	}
	sent := Send{Binding: r.name}
	for _, m := range msgs {
		sent.Messages = append(sent.Messages, Message{Body: string(m.Body), Delay: m.Delay.Or(0)})
	}
	g.sends = append(g.sends, sent)
	return nil
}
