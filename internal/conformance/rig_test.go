package conformance

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
	"github.com/wazqueue/wazqueue/hostfn"
	"github.com/wazqueue/wazqueue/validate"
)

const queue = "pages"

// rig is the probe guest with a real queue behind its binding PAGE_QUEUE.
type rig struct {
	t     *testing.T
	guest *guesttest.Guest
	store *spy
	log   bytes.Buffer
}

// onBoth runs a test on both embedded backends, in fake time. onEvent is the
// script that queue events run; without one it is their first message's body.
func onBoth(t *testing.T, onEvent string, test func(r *rig)) {
	t.Helper()
	backends := map[string]func(*testing.T) (adapter.Adapter, error){
		"memory": func(*testing.T) (adapter.Adapter, error) { return memory.Open(), nil },
		"sqlite": func(t *testing.T) (adapter.Adapter, error) {
			return sqlite.Open(context.Background(), "sqlite:"+filepath.Join(t.TempDir(), "q.db"))
		},
	}
	for name, open := range backends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := guest.Config{}
			if onEvent != "" {
				c.Env = map[string]string{"PROBE_QUEUE": onEvent}
			}
			g := guesttest.LoadConfig(t, "../../testdata/guests/probe.wasm", c)
			synctest.Test(t, func(t *testing.T) {
				store, err := open(t)
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				r := &rig{t: t, guest: g, store: &spy{Adapter: store}}
				g.Grants["PAGE_QUEUE"] = hostfn.Binding{Queue: queue, Sender: r.store}
				test(r)
			})
		})
	}
}

// spy is a store that records what reaches it, and refuses when told to.
type spy struct {
	adapter.Adapter
	mu      sync.Mutex
	sends   [][]adapter.Message
	settled []adapter.Settlement
	refuse  error
}

func (s *spy) Send(ctx context.Context, q string, msgs ...adapter.Message) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refuse != nil {
		return s.refuse
	}
	sent := make([]adapter.Message, len(msgs))
	for i, m := range msgs {
		sent[i] = adapter.Message{Type: m.Type, Body: bytes.Clone(m.Body), Delay: m.Delay}
	}
	s.sends = append(s.sends, sent)
	return s.Adapter.Send(ctx, q, msgs...)
}

func (s *spy) Settle(ctx context.Context, q string, list ...adapter.Settlement) error {
	s.mu.Lock()
	for _, x := range list {
		x.Lease = "" // differs from run to run
		s.settled = append(s.settled, x)
	}
	s.mu.Unlock()
	return s.Adapter.Settle(ctx, q, list...)
}

// bodies lists what was sent so far.
func (s *spy) bodies() (bodies []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sent := range s.sends {
		for _, m := range sent {
			bodies = append(bodies, string(m.Body))
		}
	}
	return bodies
}

// fetch runs a script in a fetch event that must end well.
func (r *rig) fetch(script string) []string {
	r.t.Helper()
	lines, err := r.tryFetch(script)
	if err != nil {
		r.t.Fatal(err)
	}
	return lines
}

func (r *rig) tryFetch(script string) ([]string, error) {
	res, err := r.guest.Fetch("POST", "http://host/", script)
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(res.Body), "\n"), "\n"), nil
}

// send puts bodies into the queue as one batch of a guest's.
func (r *rig) send(bodies ...string) {
	r.t.Helper()
	for i, b := range bodies {
		bodies[i] = `{"body":` + b + `}`
	}
	if got := r.fetch(raw("batch PAGE_QUEUE", "["+strings.Join(bodies, ",")+"]")); got[0] != "batch 0" {
		r.t.Fatal(got)
	}
}

// event is one queue event as the consumer saw it.
type event struct {
	At       time.Duration // since consume began
	IDs      []string
	Attempts []int
	Failed   bool
	Out      string // what the guest printed
}

// consume runs the consumer engine for d, one event at a time, and lists the
// events. Its batches are due at once unless c says otherwise.
func (r *rig) consume(d time.Duration, c consumer.Config) []event {
	r.t.Helper()
	var events []event
	began := time.Now()
	c.Adapter, c.Queue, c.MaxConcurrency = r.store, queue, 1
	c.Alone = hostfn.Unreadable
	c.Log = slog.New(slog.NewTextHandler(&r.log, nil))
	if c.MaxBatchTimeout == nil {
		c.MaxBatchTimeout = new(time.Duration(0))
	}
	if c.MaxBatchSize == 0 {
		c.MaxBatchSize = 100
	}
	c.Handler = func(ctx context.Context, b *batch.Batch) error {
		e := event{At: time.Since(began)}
		for _, d := range b.Deliveries() {
			e.IDs, e.Attempts = append(e.IDs, d.ID), append(e.Attempts, d.Attempts)
		}
		printed := len(r.guest.Stdout())
		err := r.guest.Program.Run(ctx, &hostfn.Event{Kind: hostfn.KindQueue, Batch: b, Grants: r.guest.Grants})
		e.Failed, e.Out = err != nil, r.guest.Stdout()[printed:]
		events = append(events, e)
		return err
	}
	ctx, cancel := context.WithTimeout(r.t.Context(), d)
	defer cancel()
	if err := consumer.Run(ctx, c); err != nil {
		r.t.Error(err)
	}
	return events
}

// raw is a script line with raw arguments behind it.
func raw(op string, args ...string) string {
	for _, a := range args {
		op += fmt.Sprintf(" %d", len(a))
	}
	return op + "\n" + strings.Join(args, "") + "\n"
}

// quote is a script as the JSON string that a message's body is.
func quote(script string) string { return string(validate.AppendString(nil, script)) }
