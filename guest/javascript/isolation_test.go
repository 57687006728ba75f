package javascript_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// Instances are put back unless evaluating the script asked for something that
// differs between two instances. What the engine itself asks for does not count:
// nothing that a script can see depends on it.
func TestReuse(t *testing.T) {
	t.Parallel()
	const handler = "; export function fetch() {}"
	for source, want := range map[string]string{
		"const a = {b: [1, 'c']}; class D {}":                   "rewind: it cannot be told from a new instance",
		"const t = new Date(2020, 1, 1), m = new Map([[1, 2]])": "rewind: it cannot be told from a new instance",
		"const r = () => Math.random() + Date.now()":            "rewind: it cannot be told from a new instance",
		"const seed = Math.random()":                            "new: initialisation used randomness",
		"const id = crypto.randomUUID()":                        "new: initialisation used randomness",
		"crypto.getRandomValues(new Uint8Array(8))":             "new: initialisation used randomness",
		"const start = Date.now()":                              "new: initialisation used clock",
		"const start = new Date()":                              "new: initialisation used clock",
		"const start = performance.now()":                       "new: initialisation used clock",
		"console.log('hello')":                                  "new: initialisation used output",
		"await 1; const a = [Date(), Math.random()]":            "new: initialisation used clock, randomness",
	} {
		g := script(t, source+handler)
		reuse, why := g.Program.Reuse()
		if got := fmt.Sprintf("%v: %s", reuse, strings.Join(why, "; ")); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
	forced := scriptConfig(t, "const seed = Math.random(); export const fetch = () => new Response(String(seed))", guest.Config{Instance: guest.Rewind})
	if first := ask(t, forced); first != ask(t, forced) {
		t.Error("forced to be rewound, yet the seed differs")
	}
	fresh := scriptConfig(t, "const seed = Math.random(); export const fetch = () => new Response(String(seed))", guest.Config{})
	if first := ask(t, fresh); first == ask(t, fresh) {
		t.Error("the seed of two new instances is the same")
	}
}

// The clock and randomness are the host's at the time they are asked.
func TestWorldIsNotRemembered(t *testing.T) {
	t.Parallel()
	g := script(t, fetching(`return new Response([Math.random(), Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint16Array(4)), Date.now(), performance.now(), performance.timeOrigin].join())`))
	seen := map[string]bool{}
	for range 20 {
		before := time.Now().UnixMilli()
		fields := strings.Split(ask(t, g), ",")
		for _, random := range fields[:3] {
			if seen[random] || len(random) < 10 || random == "NaN" {
				t.Errorf("random again: %s", random)
			}
			seen[random] = true
		}
		if id := fields[2]; len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) {
			t.Errorf("no UUID: %s", id)
		}
		for _, now := range fields[7:9] {
			var ms int64
			if fmt.Sscan(now, &ms); ms < before || ms > time.Now().UnixMilli() {
				t.Errorf("the clock shows %s, it is %d", now, before)
			}
		}
		if fields[9] != "0" {
			t.Errorf("time begins at %s", fields[9])
		}
	}
}

// fingerprint answers what a script can see of itself and its surroundings, and
// then spoils all of it.
const fingerprint = `
let count = 0;
const list = [], map = new Map(), big = [];
globalThis.shared ??= 0;
const names = (o) => Object.getOwnPropertyNames(o).sort().join();
const see = () => JSON.stringify([
	count, list, [...map], shared, names(globalThis), names(Object.prototype), names(Array.prototype), names(Promise.prototype), names(console), names(env),
	[].map(String).x, ({}).polluted, typeof [].forEach, JSON.stringify({a: 1}), env.NAME, Symbol.for("s").description, String(Math.random).length,
	new Error("e").stack, big.length, Response.name, typeof Response.respond, typeof Headers.lines,
]);
const spoil = () => {
	count++; shared++; list.push({count}); map.set(count, list);
	Object.prototype.polluted = 1; Array.prototype.forEach = 1; Promise.prototype.then = () => { throw 1 };
	console.log = null; env.NAME = "x"; delete env.PAGE_QUEUE; env.NEW = 1; globalThis.more = {}; delete globalThis.发送队列消息;
	JSON.stringify = () => "no"; Response.prototype.ok2 = 1; Math.random = () => 4; Date.now = () => 5; Error.stackTraceLimit = 0;
	for (let i = 0; i < 3000; i++) big.push("x".repeat(i));
};
export function fetch(request) {
	const response = new Response(see());
	spoil();
	return response;
}
export async function queue(batch) {
	const what = batch.messages[0].body;
	batch.messages[0].more = 5;
	Object.getPrototypeOf(batch.messages[0]).ack = () => 5;
	spoil();
	if (what === "throw") throw new Error("a");
	if (what === "memory") for (;;) big.push(new Uint8Array(1e6));
	if (what === "loop") for (;;);
	if (what === "recurse") (function f() { f() })();
	if (what === "abort") Object.defineProperty(Object.prototype, "then", {value: 发送队列消息("OTHER", "1")});
	if (what === "unhandled") Promise.reject(1);
}
`

// nothing of an event is there in the next, whatever it did and however it
// ended, and a rewound instance looks like a new one.
func TestIsolation(t *testing.T) {
	t.Parallel()
	c := guest.Config{Env: map[string]string{"NAME": "value"}, EventTime: 500 * time.Millisecond, MemoryMiB: 32}
	c.Instance = guest.New
	want := ask(t, scriptConfig(t, fingerprint, c, "PAGE_QUEUE"))
	if !strings.HasPrefix(want, `[0,[],[],0,"`) || strings.Contains(want, "respond") {
		t.Fatalf("a new instance shows %s", want)
	}
	c.Instance = guest.Auto
	g := scriptConfig(t, fingerprint, c, "PAGE_QUEUE")
	if reuse, why := g.Program.Reuse(); reuse != guest.Rewind {
		t.Fatal(why)
	}
	events := []string{"nothing", "throw", "memory", "loop", "recurse", "abort", "unhandled"}
	for i, what := range append(events, events...) {
		d := g.Deliver("q", `"`+what+`"`)
		if (d.Err == nil) != (what == "nothing") {
			t.Errorf("%s ended with %v", what, d.Err)
		}
		if d := cmp.Diff(want, ask(t, g)); d != "" {
			t.Fatalf("%d, after %s: %s", i, what, d)
		}
	}
}

// Events may run at once, each in an instance of its own.
func TestConcurrentEvents(t *testing.T) {
	t.Parallel()
	for _, reuse := range []guest.Reuse{guest.Rewind, guest.New} {
		g := scriptConfig(t, `let n = 0; export async function fetch(request) { n++; await null; return new Response(await request.text() + n) }`, guest.Config{Instance: reuse})
		var running sync.WaitGroup
		for i := range 8 {
			running.Go(func() {
				for j := range 25 {
					body := fmt.Sprint(i, "/", j, "/")
					if r, err := g.Fetch("POST", "http://h/", body); err != nil || string(r.Body) != body+"1" {
						t.Errorf("%v: %v", err, r)
					}
				}
			})
		}
		running.Wait()
	}
}

// Two scripts of one process have nothing in common.
func TestTwoScripts(t *testing.T) {
	t.Parallel()
	a := script(t, `globalThis.mine = "a"; export const fetch = () => new Response(mine + typeof theirs)`)
	b := script(t, `globalThis.theirs = "b"; export const fetch = () => new Response(theirs + typeof mine)`)
	for range 3 {
		for g, want := range map[*guesttest.Guest]string{a: "aundefined", b: "bundefined"} {
			if got := ask(t, g); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	}
}
