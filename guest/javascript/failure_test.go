package javascript_test

import (
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// what nobody catches fails the event, and the reason has the message and
// the stack, with the script's own lines.
func TestUncaught(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         []string // parts of the reason
	}{
		{"an exception of the host", "export function fetch() {\n  读取队列批次();\n}", []string{"Error: 当前事件不是队列事件\n", "    at fetch (app.js:2:"}},
		{"an exception of the engine", "export function fetch() {\n\n  null.x }", []string{"TypeError: cannot read property 'x' of null\n", "    at fetch (app.js:3:"}},
		{"of an async function", "export async function fetch() {\n  await 1;\n  throw new RangeError('far')\n}", []string{"RangeError: far\n", "    at fetch (app.js:3:"}},
		{"of a send", "export async function fetch(r, env) { await env.PAGE_QUEUE.send(1, {delaySeconds: -1}) }", []string{"Error: 延迟秒数须在 0 至 43200 之间\n", "    at fetch (app.js:1:"}},
		{"a send that nobody awaits", "export function fetch(r, env) { env.PAGE_QUEUE.send(1, {delaySeconds: -1}) }", []string{"unhandled rejection: Error: 延迟秒数须在 0 至 43200 之间\n", "app.js:1:"}},
		{"the first rejection that nobody handles", "export function fetch() { Promise.reject(new Error('a')); Promise.reject(new Error('b')) }", []string{"unhandled rejection: Error: a\n"}},
		{"what is waited for", "export function fetch(r, env, context) { context.waitUntil(Promise.reject(new Error('a'))) }", []string{"Error: a\n"}},
		{"a thenable that is waited for", "export function fetch(r, env, context) { context.waitUntil({then(_, no) { no(new Error('a')) }}) }", []string{"Error: a\n"}},
		{"of a microtask", "export function fetch() { queueMicrotask(() => { throw new Error('a') }) }", []string{"Error: a\n"}},
		{"a subclass", "class Odd extends Error { name = 'Odd' }\nexport function fetch() { throw new Odd('a') }", []string{"Odd: a\n", "app.js:2:"}},
		{"a cause", "export function fetch() { try { null.x } catch (cause) { throw new Error('a', {cause}) } }", []string{"Error: a\n", "Caused by: TypeError: cannot read"}},
		{"a text", "export function fetch() { throw 'a text' }", []string{"a text was thrown"}},
		{"undefined", "export function fetch() { throw undefined }", []string{"undefined was thrown"}},
		{"null", "export function fetch() { return Promise.reject(null) }", []string{"null was thrown"}},
		{"an object", "export function fetch() { throw {a: 1} }", []string{`{"a":1} was thrown`}},
		{"a symbol", "export function fetch() { throw Symbol('a') }", []string{"Symbol(a) was thrown"}},
		{"what throws when it is shown", "export function fetch() { throw {toJSON() { throw 1 }, get [Symbol.toStringTag]() { throw 2 }} }", []string{"something was thrown that cannot be shown"}},
		{"an Error whose message throws", "export function fetch() { const e = new Error(); Object.defineProperty(e, 'message', {get() { throw e }}); throw e }", []string{"something was thrown that cannot be shown"}},
		{"a circle of causes", "export function fetch() { const e = new Error('a'); e.cause = e; throw e }", []string{"Error: a\n", "Caused by: Error: a\n"}},
		{"a promise that is never settled", "export function fetch() { return new Promise(() => {}) }", []string{"a promise that is awaited is never settled"}},
		{"a promise of another make", "export function fetch() { return {then(_, no) { no(new Error('a')) }} }", []string{"Error: a\n"}},
		{"a long message", "export function fetch() { throw new Error('页'.repeat(1e6)) }", []string{"页页页…"}},
		{"lone surrogates", "export function fetch() { throw new Error('\\ud800') }", []string{"Error: \ufffd"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := script(t, tt.source)
			for range 2 {
				r, err := g.Fetch("GET", "http://h/", "")
				if err == nil {
					t.Fatalf("answered %v", r)
				}
				f := failure(t, err)
				if f.How != guest.Failed {
					t.Errorf("how = %v", f.How)
				}
				if len(f.Error()) > 20_000 {
					t.Errorf("the reason has %d bytes", len(f.Error()))
				}
				for _, part := range tt.want {
					if !strings.Contains(f.Error(), part) {
						t.Errorf("the reason does not say %q: %.300q", part, f.Error())
					}
				}
			}
		})
	}
}

// A rejection that is handled later is none, however late.
func TestHandledRejections(t *testing.T) {
	t.Parallel()
	for _, statements := range []string{
		`const p = Promise.reject(1); await 1; await 2; p.catch(() => {})`,
		`await Promise.allSettled([Promise.reject(1), env.PAGE_QUEUE.send(1, {delaySeconds: -1})])`,
		`for (let i = 0; i < 10000; i++) { const p = Promise.reject(new Error("x".repeat(1000))); p.catch(() => {}) }`,
		`env.PAGE_QUEUE.send(1, {delaySeconds: -1}).catch(() => {})`,
	} {
		if got := answers(t, statements+`; return new Response("fine")`); got != "fine" {
			t.Errorf("%s: %q", statements, got)
		}
	}
}

// an abort ends the event; no catch and no finally of the script sees it.
func TestAborts(t *testing.T) {
	t.Parallel()
	for _, statement := range []string{
		`await env.OTHER.send(1)`,
		`env.OTHER.send(1).catch(() => {})`,
		`await env.OTHER.sendBatch([])`,
		`await env . OTHER
			.send(1)`,
		`发送队列消息("OTHER", "1")`,
		`批量发送队列消息("OTHER", "nonsense")`,
	} {
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			g := script(t, `export default { async fetch(request, env) {
				try { `+statement+` } catch (e) { console.log("caught", e) } finally { console.log("finally") }
				return new Response("went on") } }`)
			r, err := g.Fetch("GET", "http://h/", "")
			if err == nil {
				t.Fatalf("answered %v", r)
			}
			if f := failure(t, err); f.How != guest.Aborted || f.Err.Error() != "未授权的QUEUE绑定：OTHER" {
				t.Errorf("ended with %v", f)
			}
			if g.Stdout() != "" || g.Sends() != nil {
				t.Errorf("printed %q, sent %v", g.Stdout(), g.Sends())
			}
		})
	}
	lone := script(t, saying(`发送队列消息("\ud800", "1")`))
	if _, err := lone.Fetch("GET", "http://h/", ""); err == nil || !strings.Contains(err.Error(), "未授权的QUEUE绑定：\ufffd") {
		t.Errorf("a name with a lone surrogate: %v", err)
	}
	// A binding that is permitted but not configured.
	g := scriptConfig(t, saying(`return env.PAGE_QUEUE.send(1)`), guest.Config{})
	g.Grants["PAGE_QUEUE"] = hostfn.Binding{}
	if _, err := g.Fetch("GET", "http://h/", ""); err == nil || !strings.Contains(err.Error(), "绑定不存在：PAGE_QUEUE") {
		t.Errorf("a binding without a queue: %v", err)
	}
}

// What the deployment does not permit is not there, but for what the script
// sends to by name.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	g := scriptConfig(t, `
		const seen = JSON.stringify(env);
		export default { fetch(request, given) {
			return Response.json([seen, given === env, env.NAME, env.MISSING === undefined, Object.keys(env).sort(), typeof env["B"].send, typeof env.USED.send, env.USED2?.send])
		}, queue() { env.USED.send(1) } }`,
		guest.Config{Env: map[string]string{"NAME": "välue", "OTHER": ""}}, "B", "A")
	const want = `["{\"NAME\":\"välue\",\"OTHER\":\"\",\"USED\":{}}",true,"välue",true,["A","B","NAME","OTHER","USED"],"function","function",null]`
	if got := ask(t, g); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestConsole(t *testing.T) {
	t.Parallel()
	g := script(t, `export function fetch() {
		console.log("a", 1, true, null, undefined, 1n, {a: [1]}, [2], Symbol("s"));
		console.info("é页😀\ud800"); console.debug(); console.log("two\nlines");
		const circle = {}; circle.circle = circle; console.log(circle, () => 1, new Date(0));
		console.warn("w"); console.error(new Error("e"));
	}`)
	if r, err := g.Fetch("GET", "http://h/", ""); err != nil || r.Status != 204 {
		t.Fatal(r, err)
	}
	const out = "a 1 true null undefined 1n {\"a\":[1]} [2] Symbol(s)\né页😀\ufffd\n\ntwo\nlines\n[object Object] () => 1 \"1970-01-01T00:00:00.000Z\"\n"
	if g.Stdout() != out {
		t.Errorf("stdout %q, want %q", g.Stdout(), out)
	}
	if !strings.HasPrefix(g.Stderr(), "w\nError: e\n    at fetch (app.js:5:") {
		t.Errorf("stderr %q", g.Stderr())
	}
	cut := scriptConfig(t, `export function fetch() { for (let i = 0; i < 100; i++) console.log("0123456789") }`, guest.Config{OutputBytes: 35})
	if _, err := cut.Fetch("GET", "http://h/", ""); err != nil || cut.Stdout() != strings.Repeat("0123456789\n", 3) {
		t.Errorf("%v, %q", err, cut.Stdout())
	}
}
