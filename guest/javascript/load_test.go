package javascript_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
	"github.com/wazqueue/wazqueue/hostfn"
)

// A script that cannot run is refused when it is loaded, with file and line.
func TestLoadRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, source string
		want         string // the beginning of the one problem
	}{
		{"syntax", "export function queue() {\n  let a = ;\n}", "dir/app.js:2:11: SyntaxError: "},
		{"not finished", "export function queue() {\n", "dir/app.js:"},
		{"an old script's return", "return 1", "dir/app.js:1:"},
		{"an exception", "const a = 1;\nnull.x", "dir/app.js:2:1: TypeError: cannot read property 'x' of null"},
		{"an exception of the engine's functions", "\nJSON.parse('{')", "dir/app.js:2:6: SyntaxError: "},
		{"an exception in a function", "f();\nfunction f() {\n  throw new Error('a')\n}", "dir/app.js:3:13: Error: a"},
		{"something else is thrown", "throw 'a'", "dir/app.js: a was thrown"},
		{"a promise that is rejected", "await Promise.reject(new Error('a'))", "dir/app.js:1:"},
		{"one that nobody handles", "Promise.reject(new Error('a')); export function fetch() {}", "dir/app.js:1:"},
		{"one that is never settled", "await new Promise(() => {})", "dir/app.js: a promise that is awaited is never settled"},
		{"an import", "import a from './lib.js'; export function queue() {}", "dir/app.js: ReferenceError: cannot import './lib.js': a script is one file, bundle it"},
		{"a dynamic import", "const a = await import('./lib.js')", "dir/app.js: ReferenceError: cannot import './lib.js': a script is one file, bundle it"},
		{"an undeclared variable", "a = 1", "dir/app.js:1:"},
		{"not UTF-8", "// \xff", "dir/app.js: it is not UTF-8"},
		{"no handler", "export function fetch() {}", "no entry for queue events: export 处理队列批次 or queue"},
		{"no exports", "function queue() {}", "no entry for queue events: export 处理队列批次 or queue"},
		{"a handler that is no function", "export const queue = 1; export default {queue: {}}", "no entry for queue events: export 处理队列批次 or queue"},
		{"a module's entry", "export function _start() {}", "no entry for queue events: export 处理队列批次 or queue"},
		{"an event is needed", "发送队列消息('PAGE_QUEUE', '1')", "an instance does not start: guest aborted: 初始化期间没有事件"},
		{"memory", "const a = []; for (;;) a.push(new Uint8Array(1e6))", "dir/app.js:1:35: InternalError: out of memory"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := javascript.Load(t.Context(), []byte(tt.source), "dir/app.js", guest.Config{Needs: []string{hostfn.KindQueue}, MemoryMiB: 16, Cache: compilations()})
			if err == nil {
				p.Close(t.Context())
				t.Fatal("it was taken")
			}
			refusal, ok := errors.AsType[*guest.LoadError](err)
			if !ok || len(refusal.Problems) != 1 || !strings.HasPrefix(refusal.Problems[0], tt.want) {
				t.Errorf("error %q, want %q", err, tt.want)
			}
		})
	}
}

func TestLoadIsLimited(t *testing.T) {
	t.Parallel()
	_, err := javascript.Load(t.Context(), []byte("for (;;);"), "app.js", guest.Config{EventTime: 200 * time.Millisecond, Cache: compilations()})
	if err == nil || !strings.Contains(err.Error(), "an instance does not start: guest timed out") {
		t.Errorf("error %v", err)
	}
	_, err = javascript.Load(t.Context(), []byte("export function queue() {}"), "app.js", guest.Config{MemoryMiB: 1})
	if err == nil || !strings.Contains(err.Error(), "it needs more memory than the limit of 1 MiB") {
		t.Errorf("error %v", err)
	}
}

// Handlers are the default export's methods, or named exports.
func TestEntries(t *testing.T) {
	t.Parallel()
	const nothing = "export const a = 1; "
	for source, want := range map[string]string{
		"export function fetch() {}; export async function queue() {}":     "queue fetch",
		"export default { fetch() {}, queue: async () => {} }":             "queue fetch",
		"export default new class { fetch() {} }":                          "fetch",
		"export default Object.create({queue() {}})":                       "queue",
		"export const fetch = function () {}; export default {queue() {}}": "queue fetch",
		"const handlers = {queue() {}}; export {handlers as default}":      "queue",
		"export default function fetch() {}":                               "",
		"export function 处理队列批次() {}; export function 处理入站网页请求() {}":       "处理队列批次 处理入站网页请求",
		"\ufeff#!/usr/bin/env wazqueue\nexport function fetch() {}":        "fetch",
		"await Promise.resolve(1); export function fetch() {}":             "fetch",
		nothing: "",
	} {
		r, err := javascript.Inspect(t.Context(), []byte(source), "app.js", guest.Config{Cache: compilations()})
		if err != nil || len(r.Problems) > 0 {
			t.Errorf("%s: %v, %v", source, err, r)
			continue
		}
		if diff := cmp.Diff(want, strings.Join(r.Entries, " ")); diff != "" {
			t.Errorf("%s: %s", source, diff)
		}
		if len(r.Imports) > 0 {
			t.Errorf("imports %v", r.Imports)
		}
	}
}

// An embedder's own kinds are handled by the function of that name.
func TestOtherKinds(t *testing.T) {
	t.Parallel()
	g := script(t, `export default { x: 5, timer(about, env) { console.log(this.x, about, typeof env.PAGE_QUEUE, 读取入站事件种类()) } }`)
	if !g.Program.Handles("timer") || g.Program.Handles("fetch") || g.Program.Handles("x") {
		t.Error("kinds are mixed up")
	}
	if err := g.Program.Run(t.Context(), &hostfn.Event{Kind: "timer", Grants: g.Grants}); err != nil || g.Stdout() != "5 undefined object timer\n" {
		t.Errorf("%v, %q", err, g.Stdout())
	}
}

func TestIs(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"a.js": true, "b/a.MJS": true, "a.wasm": false, "a.json": false, "js": false, "a.js.wasm": false} {
		if got := javascript.Is(file); got != want {
			t.Errorf("%s: %v", file, got)
		}
	}
}
