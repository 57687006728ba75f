package javascript_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/guest"
)

// Whatever a script does, its event ends with a reason, nothing reaches a queue,
// and the next event is served.
func TestHostileScripts(t *testing.T) {
	t.Parallel()
	const memory = "InternalError: out of memory"
	tests := []struct {
		name, statements string
		how              guest.How
		text             string
	}{
		{"an endless loop", `for (;;);`, guest.TimedOut, ""},
		{"one that catches all", `for (;;) try { throw 1 } catch { continue } finally { continue }`, guest.TimedOut, ""},
		{"endless microtasks", `(function f() { Promise.resolve().then(f) })(); await new Promise(() => {})`, guest.TimedOut, ""},
		{"endless awaits", `for (;;) await 1`, guest.TimedOut, ""},
		{"an endless generator", `for (const x of (function* () { for (;;) yield 1 })());`, guest.TimedOut, ""},
		{"an endless sort", `Array(1e5).fill(0).sort(() => { for (;;); })`, guest.TimedOut, ""},
		{"an endless array", `Array.from({length: 2 ** 30})`, guest.Failed, memory},
		{"a regular expression", `/^(a+)+$/.test("a".repeat(40) + "b")`, guest.TimedOut, ""},
		{"a long division", `for (let n = 3n ** 20000n; ; n++) n % (n >> 3n)`, guest.TimedOut, ""},
		{"a large power", `return new Response(String(3n ** 3000000n).length)`, guest.Failed, "RangeError: BigInt is too large"},
		{"a message that takes for ever", `throw {toString() { for (;;); }, toJSON() { for (;;); }}`, guest.TimedOut, ""},
		{"an endless print", `for (;;) console.log("a")`, guest.TimedOut, ""},
		{"an endless getter", `return {get then() { for (;;); }}`, guest.TimedOut, ""},
		{"memory", `const a = []; for (;;) a.push(new Uint8Array(1e5))`, guest.Failed, memory},
		{"memory in small pieces", `let a; for (;;) a = {a}`, guest.Failed, memory},
		{"memory in a text", `let a = "a"; for (;;) a += a`, guest.Failed, ""},
		{"memory in a closure", `let a = 0; for (;;) { const b = a; a = () => b }`, guest.Failed, memory},
		{"memory in promises", `for (;;) Promise.reject(1)`, guest.Failed, ""},
		{"memory in an array", `Array(2 ** 31).fill(1)`, guest.Failed, ""},
		{"a large buffer", `new ArrayBuffer(2 ** 31)`, guest.Failed, ""},
		{"a large JSON", `let a = "a".repeat(1e6); JSON.stringify(Array(1000).fill(a))`, guest.Failed, ""},
		{"a large answer", `return new Response(Array(100).fill("a".repeat(1e6)).join("\ud800"))`, guest.Failed, memory},
		{"endless recursion", `(function f() { f() })()`, guest.Failed, "RangeError: Maximum call stack size exceeded"},
		{"recursion of engine functions", `(function f() { [1].map(f) })()`, guest.Failed, "RangeError: Maximum call stack size exceeded"},
		{"recursion by getters", `const o = {get a() { return this.a }}; o.a`, guest.Failed, "RangeError: Maximum call stack size exceeded"},
		{"recursion by proxies", `let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x`, guest.Failed, "RangeError: Maximum call stack size exceeded"},
		{"recursion by texts", `const o = {toString() { return "" + o }}; "" + o`, guest.Failed, "RangeError: Maximum call stack size exceeded"},
		{"a deep JSON", `JSON.parse("[".repeat(1e6))`, guest.Failed, ""},
		{"a deep object", `let o; for (let i = 0; i < 1e5; i++) o = [o]; JSON.stringify(o)`, guest.TimedOut, "" /* it looks for circles */},
		{"a deep expression", `eval("(".repeat(1e5))`, guest.Failed, ""},
		{"a deep regular expression", `new RegExp("(".repeat(1e5))`, guest.Failed, ""},
		{"a deep prototype", `let o = null; for (let i = 0; i < 1e6; i++) o = Object.create(o); o.x; throw new Error("lives")`, guest.Failed, ""},
		{"stacks that are prepared", `Error.prepareStackTrace = () => { console.log(Object.create(null)); return new Response(Object.create(Uint8Array.prototype)) };
			try { await env.PAGE_QUEUE.send(1, {delaySeconds: 1n}) } catch {} new Response(Object.create(Uint8Array.prototype)); TextDecoder.prototype.decode(Object.create(Uint8Array.prototype))`, guest.Failed, "TypeError"},
		{"stacks that are limited", `let n = 0; Error.stackTraceLimit = {valueOf() { n++; TextDecoder.prototype.decode(Object.create(Uint8Array.prototype)) }};
			try { TextDecoder.prototype.decode(Object.create(Uint8Array.prototype)) } catch (e) { throw new Error(n + e.message) }`, guest.Failed, "Error: 0not a TypedArray"},
		{"functions replaced", `JSON.stringify = () => 5; await env.PAGE_QUEUE.send(1)`, guest.Failed, "TypeError: not a value that the host takes"},
		{"texts replaced", `String.prototype.toWellFormed = () => ({}); console.log("a")`, guest.Failed, "TypeError"},
		{"integers replaced", `Number.isInteger = () => true; 确认队列消息(1n)`, guest.Failed, "TypeError"},
		{"WebAssembly", `WebAssembly.compile("")`, guest.Failed, "ReferenceError"},
		{"the process", `process.exit(0)`, guest.Failed, "ReferenceError"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			limit := 5 * time.Second
			if tt.how == guest.TimedOut {
				limit = time.Second
			}
			g := scriptConfig(t, `let count = 0; export async function fetch(request, env) {
				count++;
				if (request.url.endsWith("next")) return new Response(String(count));
				`+tt.statements+`; await env.PAGE_QUEUE.send("never") }`, guest.Config{EventTime: limit, MemoryMiB: 24}, "PAGE_QUEUE")
			r, err := g.Fetch("GET", "http://h/", "")
			if err == nil {
				t.Fatalf("answered %v", r)
			}
			f, ok := errors.AsType[*guest.Error](err)
			if !ok || f.How != tt.how || !strings.Contains(f.Error(), tt.text) {
				t.Errorf("ended with %.300v, want %v %s", err, tt.how, tt.text)
			}
			if g.Sends() != nil && !strings.Contains(err.Error(), "lives") {
				t.Errorf("sent %v", g.Sends())
			}
			if r, err := g.Fetch("GET", "http://h/next", ""); err != nil || string(r.Body) != "1" {
				t.Errorf("the next event: %v, %v", r, err)
			}
		})
	}
}

// What is a script's own fault it can catch, and go on.
func TestCatchable(t *testing.T) {
	t.Parallel()
	for statements, want := range map[string]string{
		`try { (function f() { f() })() } catch (e) { return e.name + ": " + e.message }`:                    "RangeError: Maximum call stack size exceeded",
		`let n = 0; try { (function f() { n++; f() })() } catch { return n > 500 }`:                          "true",
		`try { new ArrayBuffer(2 ** 40) } catch (e) { return e.name }`:                                       "RangeError",
		`try { "a".repeat(2 ** 30) } catch (e) { return e.name }`:                                            "RangeError",
		`try { JSON.parse("[".repeat(1e6)) } catch (e) { return e instanceof Error }`:                        "true",
		`try { eval("(") } catch (e) { return e.name }`:                                                      "SyntaxError",
		`try { await import("a") } catch (e) { return e.message }`:                                           "cannot import 'a': a script is one file, bundle it",
		`let s = 0; for (let i = 0; i < 300; i++) { const a = new Uint8Array(1e6); s += a.length } return s`: "300000000",
		`let s = 0; for (let i = 0; i < 3e5; i++) { const a = {}; a.a = {a}; s++ } return s`:                 "300000",
		`return new Date(2020, 6, 1).getTimezoneOffset() + new Date(0).toString()`:                           "0Thu Jan 01 1970 00:00:00 GMT+0000",
	} {
		if got := ask(t, script(t, saying(statements))); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", statements, got, want)
		}
	}
}
