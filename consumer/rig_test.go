package consumer_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

// stores are the adapters that take Go's clock, on which each promise is shown.
var stores = map[string]func(t *testing.T) adapter.Adapter{
	"memory": func(*testing.T) adapter.Adapter { return memory.Open() },
	"sqlite": func(t *testing.T) adapter.Adapter {
		a, err := sqlite.Open(context.Background(), "sqlite:"+filepath.Join(t.TempDir(), "queues.db")+"?synchronous=normal")
		if err != nil {
			t.Fatal(err)
		}
		return a
	},
}

// onEachStore runs f in a bubble of fake time for each store. A goroutine that
// is left behind makes the bubble panic.
func onEachStore(t *testing.T, f func(t *testing.T, r *rig)) {
	t.Helper()
	t.Parallel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) { f(t, newRig(t, open(t))) })
		})
	}
}

// rig is a store, a diary of what happened when, and a log.
type rig struct {
	*faulty
	t     *testing.T
	start time.Time
	log   logBuffer

	mu    sync.Mutex
	lines []line
	total consumer.Counts
}

func newRig(t *testing.T, a adapter.Adapter) *rig {
	t.Cleanup(func() { a.Close() })
	return &rig{faulty: &faulty{Adapter: a}, t: t, start: time.Now()}
}

// config is a consumer of queue q that writes each batch into the diary.
func (r *rig) config(handler func(ctx context.Context, b *batch.Batch) error) consumer.Config {
	return consumer.Config{
		Adapter: r.faulty,
		Queue:   "q",
		Handler: func(ctx context.Context, b *batch.Batch) error {
			r.note("%s", show(b))
			if handler == nil {
				return nil
			}
			return handler(ctx, b)
		},
		Log: slog.New(slog.NewTextHandler(&r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		Observe: func(e consumer.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.total = sum(r.total, e.Counts)
		},
	}
}

// running is a consumer that runs. cancel ends its context as SIGTERM would,
// wait returns what Run does.
type running struct {
	cancel func()
	wait   func() error
}

func (r running) stop() error {
	r.cancel()
	return r.wait()
}

func (r *rig) run(c consumer.Config) running {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- consumer.Run(ctx, c) }()
	run := running{cancel, sync.OnceValue(func() error { return <-done })}
	r.t.Cleanup(func() { run.stop() })
	return run
}

// send sends bodies to q, each the JSON string of its name.
func (r *rig) send(names ...string) { r.t.Helper(); r.sendAfter(adapter.Delay{}, names...) }

func (r *rig) sendAfter(d adapter.Delay, names ...string) {
	r.t.Helper()
	msgs := make([]adapter.Message, len(names))
	for i, n := range names {
		msgs[i] = adapter.Message{Body: []byte(`"` + n + `"`), Delay: d}
	}
	if err := r.Adapter.Send(context.Background(), "q", msgs...); err != nil {
		r.t.Fatal(err)
	}
}

// line is one of the diary: what happened how long after the start.
type line struct {
	at   time.Duration
	what string
}

func (r *rig) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line{time.Since(r.start), fmt.Sprintf(format, args...)})
}

// diary compares what was noted with want, and starts afresh. What happened at
// one time has no order.
func (r *rig) diary(want ...string) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	slices.SortFunc(r.lines, func(a, b line) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.what, b.what))
	})
	var got []string
	for _, l := range r.lines {
		got = append(got, l.at.String()+" "+l.what)
	}
	if d := gocmp.Diff(want, got); d != "" {
		r.t.Errorf("diary (-want +got):\n%s", d)
	}
	r.lines = nil
}

// counts compares what Observe has told so far.
func (r *rig) counts(want consumer.Counts) {
	r.t.Helper()
	if d := gocmp.Diff(want, r.told()); d != "" {
		r.t.Errorf("counts (-want +got):\n%s", d)
	}
}

func (r *rig) told() consumer.Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.total
}

// left compares a queue's backlog.
func (r *rig) left(queue string, want adapter.Stats) {
	r.t.Helper()
	time.Sleep(time.Second) // as old as Stats may be
	got, err := r.Adapter.Stats(context.Background(), queue)
	if err != nil {
		r.t.Fatal(err)
	}
	got.Bytes, got.Oldest = 0, time.Time{}
	if d := gocmp.Diff(want, got); d != "" {
		r.t.Errorf("backlog of %s (-want +got):\n%s", queue, d)
	}
}

// logged reports lines of the log that contain all of words.
func (r *rig) logged(words ...string) []string {
	var hits []string
	for line := range strings.Lines(r.log.String()) {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(line, w) }) {
			hits = append(hits, line)
		}
	}
	return hits
}

// wantLogged checks how many lines contain all of words.
func (r *rig) wantLogged(n int, words ...string) {
	r.t.Helper()
	if got := len(r.logged(words...)); got != n {
		r.t.Errorf("%d log lines with %q, want %d. The log:\n%s", got, words, n, r.log.String())
	}
}

// show is a batch as queue, names and attempts.
func show(b *batch.Batch) string {
	s := b.Queue()
	for _, d := range b.Deliveries() {
		s += fmt.Sprintf(" %s#%d", name(d), d.Attempts)
	}
	return s
}

func name(d adapter.Delivery) string { return strings.Trim(string(d.Body), `"`) }

// names are n different ones.
func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("m", i)
	}
	return out
}

func sum(a, b consumer.Counts) consumer.Counts {
	return consumer.Counts{
		Acked: a.Acked + b.Acked, Retried: a.Retried + b.Retried, Released: a.Released + b.Released, Moved: a.Moved + b.Moved,
		Deleted: a.Deleted + b.Deleted, Lost: a.Lost + b.Lost, Unsettled: a.Unsettled + b.Unsettled,
	}
}

// logBuffer is a bytes.Buffer for several goroutines.
type logBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
