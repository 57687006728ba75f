package guest

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest/image"
	"github.com/wazqueue/wazqueue/hostfn"
)

// twin is a program whose instances are rewound by one method, and a new
// instance of it to compare them with.
type twin struct {
	*Program
	memory  []byte
	globals []uint64
}

func newTwin(t testing.TB, wasm []byte, method image.Method) *twin {
	t.Helper()
	ctx := context.Background()
	p, err := Load(ctx, wasm, Config{Instance: Rewind, rewinding: method})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close(ctx) })
	fresh, err := Load(ctx, wasm, Config{Instance: New})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close(ctx)
	in, err := fresh.make(newLimit(ctx, fresh.config.EventTime), true)
	if err != nil {
		t.Fatal(err)
	}
	defer in.close()
	w := &twin{Program: p}
	if in.memory != nil {
		view, _ := in.module.Memory().Read(0, in.module.Memory().Size())
		w.memory = bytes.Clone(view)
	}
	for _, name := range p.code.globals {
		w.globals = append(w.globals, in.module.ExportedGlobal(name).Get())
	}
	return w
}

// compare compares the instance that waits for the next event, if there is one,
// with a new one, byte by byte.
func (w *twin) compare(t testing.TB, after string) bool {
	t.Helper()
	in := w.pool.take()
	if in == nil {
		return false
	}
	defer w.pool.put(in)
	var memory []byte
	if in.memory != nil {
		memory, _ = in.module.Memory().Read(0, in.module.Memory().Size())
	}
	if !bytes.Equal(memory, w.memory) {
		t.Fatalf("memory of %d bytes differs from a new one's %d after %s", len(memory), len(w.memory), after)
	}
	for i, name := range w.code.globals {
		if got := in.module.ExportedGlobal(name).Get(); got != w.globals[i] {
			t.Fatalf("global %s is %#x, a new one's %#x, after %s", name, got, w.globals[i], after)
		}
	}
	return true
}

// eachMethod runs a test by every method of rewinding that this system has.
func eachMethod(t *testing.T, test func(t *testing.T, method image.Method)) {
	for m := image.Best(); m <= image.Copy; m++ {
		t.Run(m.String(), func(t *testing.T) {
			t.Parallel()
			test(t, m)
		})
	}
}

// Random events of a real guest: what it writes, grows, prints, and how it ends.
func TestRewoundAfterRandomEvents(t *testing.T) {
	t.Parallel()
	wasm, err := os.ReadFile("../testdata/guests/probe.wasm")
	if err != nil {
		t.Fatal(err)
	}
	eachMethod(t, func(t *testing.T, method image.Method) {
		w := newTwin(t, wasm, method)
		random := rand.New(rand.NewPCG(7, uint64(method)))
		compared := 0
		for range 800 {
			script := randomScript(random)
			_ = w.Run(context.Background(), &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{Body: []byte(script)}})
			if w.compare(t, script) {
				compared++
			}
		}
		if compared < 400 {
			t.Errorf("only %d of 800 events left an instance to compare", compared)
		}
	})
}

func randomScript(random *rand.Rand) string {
	var s strings.Builder
	for range 1 + random.IntN(8) {
		switch random.IntN(10) {
		case 0:
			fmt.Fprintf(&s, "grow %d\n", 1+random.IntN(300))
		case 1:
			s.WriteString("count\n")
		case 2:
			fmt.Fprintf(&s, "print %d %d x\n", 1+random.IntN(2), random.IntN(50))
		case 3:
			fmt.Fprintf(&s, "random %d\n", random.IntN(3000))
		case 4:
			s.WriteString("request\nkind\nexception\nargs\nclock\n")
		default: // "end" counts from where memory ends at that moment; its front holds the guest's own stack and data
			secret := bytes.Repeat([]byte("SECRET! "), 1+random.IntN(2000))
			fmt.Fprintf(&s, "poke end-%d %d\n%s\n", len(secret)+random.IntN(40000), len(secret), secret)
		}
	}
	switch random.IntN(20) {
	case 0:
		s.WriteString("trap\n")
	case 1:
		s.WriteString("exit 3\n")
	case 2:
		s.WriteString("poke 0 16\n0123456789abcdef\n")
	case 3:
		s.WriteString("fail\n")
	}
	return s.String()
}

// Random programs: stores anywhere, growing, bulk writes, globals of every type,
// calls and calls through the table, and traps.
func TestRewoundAfterRandomPrograms(t *testing.T) {
	t.Parallel()
	eachMethod(t, func(t *testing.T, method image.Method) {
		compared := 0
		for seed := range uint64(60) {
			w := newTwin(t, randomModule(rand.New(rand.NewPCG(seed, 11))), method)
			for range 10 {
				_ = w.Run(context.Background(), &hostfn.Event{Kind: hostfn.KindQueue, Batch: batch.New("q", nil)})
				if w.compare(t, fmt.Sprintf("an event of program %d", seed)) {
					compared++
				}
			}
		}
		if compared < 200 {
			t.Errorf("only %d of 600 events left an instance to compare", compared)
		}
	})
}

// Two programs, many goroutines: no event sees another's memory.
func TestRewoundConcurrently(t *testing.T) {
	t.Parallel()
	var wasm [2][]byte
	for i, name := range []string{"probe", "page-c"} {
		var err error
		if wasm[i], err = os.ReadFile("../testdata/guests/" + name + ".wasm"); err != nil {
			t.Fatal(err)
		}
	}
	probe, page := newTwin(t, wasm[0], image.Best()), newTwin(t, wasm[1], image.Best())
	body := []byte(`{"kind":"page","url":"/a","version":"v8"}`)
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			for i := range 300 {
				if worker%2 == 0 {
					b := batch.New("q", []adapter.Delivery{{ID: "1", Attempts: 1, Body: body}})
					if err := page.Run(context.Background(), &hostfn.Event{Kind: hostfn.KindQueue, Batch: b}); err != nil || b.Mark(0).Verb != batch.Acked {
						t.Errorf("%v, %v", err, b.Mark(0))
					}
					continue
				}
				script := fmt.Sprintf("count\npoke end-100 6\nsecret\ngrow %d\n", 1+i%40)
				if i%50 == 49 {
					script += "trap\n"
				}
				ev := &hostfn.Event{Kind: hostfn.KindFetch, Request: &hostfn.Request{Body: []byte(script)}}
				if err := probe.Run(context.Background(), ev); err == nil && !strings.HasPrefix(string(ev.Response.Body), "count 1\n") {
					t.Errorf("an event saw another's memory: %s", ev.Response.Body)
				}
			}
		})
	}
	workers.Wait()
	probe.compare(t, "everything")
	page.compare(t, "everything")
}

func TestReuseIsDecided(t *testing.T) {
	t.Parallel()
	tests := []struct {
		guest string
		wish  Reuse
		want  Reuse
		why   string
	}{
		{"probe", Auto, Rewind, "it cannot be told from a new instance"},
		{"probe", New, New, "the configuration says so"},
		{"page-c", Auto, Rewind, "it cannot be told from a new instance"},
		{"page-as", Auto, Rewind, "it cannot be told from a new instance"},
		{"page-wat", Auto, Rewind, "it cannot be told from a new instance"},
		{"nomem", Auto, Rewind, "it cannot be told from a new instance"},
		{"page-go", Auto, New, "initialisation used arguments, environment, clock, randomness"},
		{"page-go", Rewind, Rewind, "the configuration says so; initialisation used arguments, environment, clock, randomness"},
		{"probe-init", Auto, New, "initialisation used environment"},
		{"command", Auto, New, "a command is initialised by the same _start that handles the event"},
	}
	for _, tt := range tests {
		wasm, err := os.ReadFile("../testdata/guests/" + tt.guest + ".wasm")
		if err != nil {
			t.Fatal(err)
		}
		p, err := Load(t.Context(), wasm, Config{Instance: tt.wish})
		if err != nil {
			t.Fatal(err)
		}
		if got, why := p.Reuse(); got != tt.want || strings.Join(why, "; ") != tt.why {
			t.Errorf("%s, %v: %v because %q", tt.guest, tt.wish, got, why)
		}
		p.Close(t.Context())
	}
}
