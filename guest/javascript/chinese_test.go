package javascript_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// The interface's functions take and give JSON as text, with the texts' own errors.
func TestChineseNames(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, statements, says string
		sends                  []sent
	}{
		{"a text is made canonical", `return 发送队列消息("PAGE_QUEUE", ' { "b" : 1.0 , "a" : "\\u0041" } ', 0)`, "undefined", []sent{{Body: `{"b":1,"a":"A"}`}}},
		{"bytes", `return 发送队列消息("PAGE_QUEUE", new TextEncoder().encode('"页"'), 5)`, "undefined", []sent{{Body: `"页"`, Delay: 5 * time.Second}}},
		{"other bytes", `return 发送队列消息("PAGE_QUEUE", new DataView(new Uint8Array([32, 0x31, 0x32, 65]).buffer, 1, 2))`, "undefined", []sent{{Body: "12"}}},
		{"no bytes", `return 发送队列消息("PAGE_QUEUE", new ArrayBuffer(0))`, "消息体不是有效的 JSON 文字", nil},
		{"not JSON", `return 发送队列消息("PAGE_QUEUE", "{")`, "消息体不是有效的 JSON 文字", nil},
		{"an object by mistake", `return 发送队列消息("PAGE_QUEUE", {a: 1})`, "消息体不是有效的 JSON 文字", nil},
		{"A-53 an escaped token", `return 发送队列消息("PAGE_QUEUE", '{"\\u0024句柄":"1"}')`, "消息体含有不属于 JSON 的值或宿主专用记号", nil},
		{"A-53 infinity", `return 发送队列消息("PAGE_QUEUE", "1e999")`, "消息体含有不属于 JSON 的值或宿主专用记号", nil},
		{"A-9 no name", `return 发送队列消息("", "1")`, "队列绑定名不得为空", nil},
		{"A-9 no name for a batch", `return 批量发送队列消息("", "[]")`, "队列绑定名不得为空", nil},
		{"a delay", `return 发送队列消息("PAGE_QUEUE", "1", 43201)`, "延迟秒数须在 0 至 43200 之间", nil},
		{"a batch", `return 批量发送队列消息("PAGE_QUEUE", '[{"body":1,"delaySeconds":5.0},{"body":[ ]}]')`, "undefined",
			[]sent{{Body: "1", Delay: 5 * time.Second}, {Body: "[]"}}},
		{"a batch of bytes", `return 批量发送队列消息("PAGE_QUEUE", new TextEncoder().encode('[]'))`, "批量消息不得为空", nil},
		{"they throw, and return no promise", `try { 发送队列消息("PAGE_QUEUE", ""); return "no" } catch (e) { return e.stack.includes("发送队列消息") }`, "true", nil},
		{"A-62 reading", `return 读取队列批次()`, "当前事件不是队列事件", nil},
		{"A-62 acking", `return 确认队列消息(0)`, "当前事件不是队列事件", nil},
		{"A-62 retrying", `return 重试队列消息(0, -1)`, "当前事件不是队列事件", nil},
		{"A-3 the kind", `return 读取入站事件种类()`, "fetch", nil},
		{"the request", `return 读取入站请求()`, `{"method":"POST","url":"http://host:8787/a/b?c=d","headers":[["host","host:8787"],["x-a","1"]]}`, nil},
		{"a status", `return 答复入站请求(199, "[]", "")`, "答复状态须在 200 至 599 之间", nil},
		{"headers", `return 答复入站请求(200, "{}", "")`, "答复头不是有效的 JSON 数组", nil},
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

func TestChineseEntries(t *testing.T) {
	t.Parallel()
	g := script(t, `
		export function 处理入站网页请求() { 答复入站请求(201, '[["x-a","b"]]', 读取入站正文()) }
		export function fetch() { throw new Error("not me") }
		export function 处理队列批次() { console.log(读取队列批次()); 确认队列消息(0); 重试队列消息(1, 30); 重试队列消息(2) }`)
	r, err := g.Fetch("PUT", "http://h/", "\x00\xff")
	if err != nil || r.Status != 201 || string(r.Body) != "\x00\xff" || len(r.Header) != 1 {
		t.Errorf("%v, %v", r, err)
	}
	d := g.DeliverRaw("q", adapter.Delivery{ID: "a", Body: []byte(`"\ud800"`)}, adapter.Delivery{ID: "b", Body: []byte("2")}, adapter.Delivery{ID: "c", Body: []byte("3")})
	if d.Err != nil || len(d.Acked()) != 1 || len(d.Retried()) != 2 || d.Delay(1) != 30*time.Second {
		t.Errorf("%v, acked %v, retried %v", d.Err, d.Acked(), d.Retried())
	}
	const want = `{"queue":"q","messages":[{"id":"a","attempts":1,"timestamp":1700000000000,"body":"\ud800"},` +
		`{"id":"b","attempts":1,"timestamp":1700000000000,"body":2},{"id":"c","attempts":1,"timestamp":1700000000000,"body":3}]}` + "\n"
	if diff := cmp.Diff(want, g.Stdout()); diff != "" {
		t.Error(diff)
	}
}
