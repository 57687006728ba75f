package javascript_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest/guesttest"
)

type sent = guesttest.Message

// What a script sends is what the queue gets, and what the gate refuses is an
// Error with the gate's own text; nothing is sent then.
func TestSending(t *testing.T) {
	t.Parallel()
	const (
		delay      = "延迟秒数须在 0 至 43200 之间"
		syntax     = "消息体不是有效的 JSON 文字"
		token      = "消息体含有不属于 JSON 的值或宿主专用记号"
		batchDelay = "批量消息项的 delaySeconds 须为 0 至 43200 的整数"
		batchToken = "批量消息含有不属于 JSON 的值或宿主专用记号"
	)
	tests := []struct {
		name, statements string
		says             string // the exception, or undefined
		sends            []sent
	}{
		{"A-51 an object", `return env.PAGE_QUEUE.send({kind: "page", url: "/release/x", version: "v8", refresh: true})`, "undefined",
			[]sent{{Body: `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`}}},
		{"every kind of value", `for (const v of [null, true, 0, -0, 1.5, 1e21, "", [], {}]) await env.PAGE_QUEUE.send(v)`, "undefined",
			[]sent{{Body: "null"}, {Body: "true"}, {Body: "0"}, {Body: "0"}, {Body: "1.5"}, {Body: "1e+21"}, {Body: `""`}, {Body: "[]"}, {Body: "{}"}}},
		{"as JSON.stringify has it", `return env.PAGE_QUEUE.send({a: undefined, b: NaN, c: new Date(0), d: [() => 1], e: {toJSON: () => 5}})`, "undefined",
			[]sent{{Body: `{"b":null,"c":"1970-01-01T00:00:00.000Z","d":[null],"e":5}`}}},
		{"A-52 a delay", `await env.PAGE_QUEUE.send(1, {delaySeconds: 30}); await env.PAGE_QUEUE.send(1, {delaySeconds: 43200}); await env.PAGE_QUEUE.send(1, {delaySeconds: 2.5 * 2})`, "undefined",
			[]sent{{Body: "1", Delay: 30 * time.Second}, {Body: "1", Delay: 12 * time.Hour}, {Body: "1", Delay: 5 * time.Second}}},
		{"no delay", `await env.PAGE_QUEUE.send(1, {}); await env.PAGE_QUEUE.send(1, {delaySeconds: undefined}); await env.PAGE_QUEUE.send(1, {delaySeconds: 0}); await env.PAGE_QUEUE.send(1, {delaySeconds: -0})`, "undefined",
			[]sent{{Body: "1"}, {Body: "1"}, {Body: "1"}, {Body: "1"}}},
		{"A-52 -1", `return env.PAGE_QUEUE.send(1, {delaySeconds: -1})`, delay, nil},
		{"A-52 43201", `return env.PAGE_QUEUE.send(1, {delaySeconds: 43201})`, delay, nil},
		{"a fraction", `return env.PAGE_QUEUE.send(1, {delaySeconds: 1.5})`, delay, nil},
		{"far out", `return env.PAGE_QUEUE.send(1, {delaySeconds: 2 ** 32})`, delay, nil},
		{"a text for a delay", `return env.PAGE_QUEUE.send(1, {delaySeconds: "30"})`, delay, nil},
		{"null for a delay", `return env.PAGE_QUEUE.send(1, {delaySeconds: null})`, delay, nil},
		{"NaN for a delay", `return env.PAGE_QUEUE.send(1, {delaySeconds: NaN})`, delay, nil},
		{"A-53 a host token", `return env.PAGE_QUEUE.send({"$句柄": "1"})`, token, nil},
		{"a host token further in", `return env.PAGE_QUEUE.send([{a: {"$数字": 1, b: 2}}])`, token, nil},
		{"undefined", `return env.PAGE_QUEUE.send(undefined)`, syntax, nil},
		{"a function", `return env.PAGE_QUEUE.send(() => 1)`, syntax, nil},
		{"25 levels", `let v = 1; for (let i = 0; i < 25; i++) v = [v]; return env.PAGE_QUEUE.send(v)`, "消息体嵌套超过 24 层", nil},
		{"24 levels", `let v = 1; for (let i = 0; i < 24; i++) v = [v]; return env.PAGE_QUEUE.send(v)`, "undefined",
			[]sent{{Body: strings.Repeat("[", 24) + "1" + strings.Repeat("]", 24)}}},
		{"a BigInt", `return env.PAGE_QUEUE.send({a: 1n})`, "BigInt are forbidden in JSON.stringify", nil},
		{"a circle", `const a = {}; a.a = a; return env.PAGE_QUEUE.send(a)`, "circular reference", nil},
		{"A-54 128000 bytes", `return env.PAGE_QUEUE.send("a".repeat(127998))`, "undefined", []sent{{Body: `"` + strings.Repeat("a", 127_998) + `"`}}},
		{"A-54 128001 bytes", `return env.PAGE_QUEUE.send("a".repeat(127999))`, "消息体超过 128000 字节", nil},
		{"128000 bytes of Chinese", `return env.PAGE_QUEUE.send("页".repeat(42666))`, "undefined", []sent{{Body: `"` + strings.Repeat("页", 42_666) + `"`}}},
		{"128001 bytes of Chinese", `return env.PAGE_QUEUE.send("a" + "页".repeat(42666))`, "消息体超过 128000 字节", nil},
		{"16 MiB", `return env.PAGE_QUEUE.send("a".repeat(2 ** 24))`, "消息体超过 128000 字节", nil},
		{"characters of every kind", `return env.PAGE_QUEUE.send("é页😀\0\x1f\u2028<&>\"\\")`, "undefined", []sent{{Body: `"é页😀\u0000\u001f` + "\u2028" + `<&>\"\\"`}}},
		{"lone surrogates", `return env.PAGE_QUEUE.send({"\ud800": "a\udfffb\udc00\ud800", ok: "\ud83d\ude00"})`, "undefined", []sent{{Body: `{"\ud800":"a\udfffb\udc00\ud800","ok":"😀"}`}}},
		{"A-55 a batch of one", `return env.PAGE_QUEUE.sendBatch([{body: 1}])`, "undefined", []sent{{Body: "1"}}},
		{"A-55 a batch of none", `return env.PAGE_QUEUE.sendBatch([])`, "批量消息不得为空", nil},
		{"A-55 a batch of 101", `return env.PAGE_QUEUE.sendBatch(Array(101).fill({body: 1}))`, "批量消息不得超过 100 条", nil},
		{"delays of a batch", `return env.PAGE_QUEUE.sendBatch([{body: 1, delaySeconds: 5}, {body: 2, delaySeconds: 0}, {body: 3}])`, "undefined",
			[]sent{{Body: "1", Delay: 5 * time.Second}, {Body: "2"}, {Body: "3"}}},
		{"a delay for all", `return env.PAGE_QUEUE.sendBatch([{body: 1, delaySeconds: 5}, {body: 2}], {delaySeconds: 9})`, "undefined",
			[]sent{{Body: "1", Delay: 5 * time.Second}, {Body: "2", Delay: 9 * time.Second}}},
		{"an iterable", `return env.PAGE_QUEUE.sendBatch(new Set([{body: 1}, {body: [2]}]))`, "undefined", []sent{{Body: "1"}, {Body: "[2]"}}},
		{"A-56 another field", `return env.PAGE_QUEUE.sendBatch([{body: 1, contentType: "json"}])`, "批量消息项只允许 body 与 delaySeconds 两个字段", nil},
		{"A-56 no body", `return env.PAGE_QUEUE.sendBatch([{body: 1}, {delaySeconds: 1}])`, "批量消息项缺少 body", nil},
		{"an undefined body", `return env.PAGE_QUEUE.sendBatch([{body: undefined}])`, "批量消息项缺少 body", nil},
		{"A-56 a fraction for a delay", `return env.PAGE_QUEUE.sendBatch([{body: 1, delaySeconds: 1.5}])`, batchDelay, nil},
		{"null for a batch's delay", `return env.PAGE_QUEUE.sendBatch([{body: 1, delaySeconds: null}])`, batchDelay, nil},
		{"a token in a batch", `return env.PAGE_QUEUE.sendBatch([{body: {"$大整数": 1}}])`, batchToken, nil},
		{"no array", `return env.PAGE_QUEUE.sendBatch({body: 1})`, "批量消息须为 JSON 数组", nil},
		{"no batch", `return env.PAGE_QUEUE.sendBatch()`, "批量消息不是有效的 JSON 文字", nil},
		{"a number in a batch", `return env.PAGE_QUEUE.sendBatch([1])`, "批量消息的每一项须为 JSON 对象", nil},
		{"A-57 what looks like structure", `return env.PAGE_QUEUE.sendBatch([{body: '],[{"body":1}"\\'}, {body: 2}])`, "undefined",
			[]sent{{Body: `"],[{\"body\":1}\"\\"`}, {Body: "2"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := script(t, saying(tt.statements))
			if got := ask(t, g); got != tt.says {
				t.Errorf("says %q, want %q", got, tt.says)
			}
			var sends []sent
			for _, s := range g.Sends() {
				sends = append(sends, s.Messages...)
			}
			if d := cmp.Diff(tt.sends, sends); d != "" {
				t.Error(d)
			}
		})
	}
}

// what the backend says reaches the script; what happened to it does not.
func TestRefusals(t *testing.T) {
	t.Parallel()
	one, many := script(t, saying(`return env.PAGE_QUEUE.send(1)`)), script(t, saying(`return env.PAGE_QUEUE.sendBatch([{body: 1}])`))
	for g, prefix := range map[*guesttest.Guest]string{one: "队列发送失败：", many: "队列批量发送失败："} {
		g.Refuse("Queue is full \U0001f600\ud7ff\"")
		if got, want := ask(t, g), prefix+"Queue is full \U0001f600\ud7ff\""; got != want {
			t.Errorf("says %q, want %q", got, want)
		}
		g.Refuse("")
		g.Break(errors.New("the disk is on fire"))
		if got, want := ask(t, g), prefix+"queue unavailable"; got != want {
			t.Errorf("says %q, want %q", got, want)
		}
		g.Break(nil)
		if got := ask(t, g); got != "undefined" {
			t.Errorf("says %q", got)
		}
	}
}
