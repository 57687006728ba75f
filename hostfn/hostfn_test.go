package hostfn_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
	"github.com/wazqueue/wazqueue/hostfn"
)

func load(t testing.TB) *guesttest.Guest {
	t.Helper()
	return guesttest.Load(t, "../testdata/guests/probe.wasm", "PAGE_QUEUE")
}

// fetch runs a script in a fetch event.
func fetch(t testing.TB, g *guesttest.Guest, script string) []string {
	t.Helper()
	res, err := g.Fetch("POST", "http://host/p?q", script, [2]string{"host", "host"})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(res.Body), "\n"), "\n")
}

// call writes a script line with its raw arguments.
func call(op string, raw ...string) string {
	for _, r := range raw {
		op += " " + strconv.Itoa(len(r))
	}
	return op + "\n" + strings.Join(raw, "") + "\n"
}

func TestSendChecksInOrder(t *testing.T) {
	t.Parallel()
	const delay = "延迟秒数须在 0 至 43200 之间"
	tests := []struct{ name, script, want string }{
		{"A-9 empty name before the delay", call("send % -1", "{"), "send 1 队列绑定名不得为空"},
		{"A-20 delay before the size", "fill PAGE_QUEUE -1 128001", "fill 1 " + delay},
		{"A-20 delay 43201", call("send PAGE_QUEUE 43201", "1"), "send 1 " + delay},
		{"delay of the smallest i64", call("send PAGE_QUEUE -9223372036854775808", "1"), "send 1 " + delay},
		{"delay of the largest i64", call("send PAGE_QUEUE 9223372036854775807", "1"), "send 1 " + delay},
		{"delay that wraps to 0 in 32 bits", call("send PAGE_QUEUE 4294967296", "1"), "send 1 " + delay},
		{"empty body", call("send PAGE_QUEUE 0", ""), "send 1 消息体不是有效的 JSON 文字"},
		{"body that is not UTF-8", "badutf8send PAGE_QUEUE 0", "badutf8send 1 消息体不是有效的 JSON 文字"},
		{"A-9 batch: empty name", call("batch %", "{"), "batch 1 队列绑定名不得为空"},
		{"batch: not an array", call("batch PAGE_QUEUE", "{}"), "batch 1 批量消息须为 JSON 数组"},
		{"batch text one byte above 1 MiB", "fillbatch PAGE_QUEUE 1 2 97 1048564", "fillbatch 1 批量消息文字超过 1 MiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := load(t)
			if d := cmp.Diff([]string{tt.want}, fetch(t, g, tt.script)); d != "" {
				t.Error(d)
			}
			if sends := g.Sends(); sends != nil {
				t.Errorf("sent %v", sends)
			}
		})
	}
}

// What a guest learns of a backend's failure, and what only the log does.
func TestBackendFailures(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	g := guesttest.LoadConfig(t, "../testdata/guests/probe.wasm",
		guest.Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, "PAGE_QUEUE")
	script := call("send PAGE_QUEUE 0", "1") + call("batch PAGE_QUEUE", `[{"body":1}]`)

	g.Refuse("Queue is full")
	if d := cmp.Diff([]string{"send 1 队列发送失败：Queue is full", "batch 1 队列批量发送失败：Queue is full"}, fetch(t, g, script)); d != "" {
		t.Errorf("A-58: %s", d)
	}
	if log.Len() > 0 {
		t.Errorf("a refusal was logged: %s", log.String())
	}
	g.Refuse("")
	g.Break(errors.New("dial tcp 10.0.0.1: secret"))
	if d := cmp.Diff([]string{"send 1 队列发送失败：queue unavailable", "batch 1 队列批量发送失败：queue unavailable"}, fetch(t, g, script)); d != "" {
		t.Error(d)
	}
	if !strings.Contains(log.String(), "dial tcp 10.0.0.1: secret") {
		t.Errorf("the log says %q", log.String())
	}
	g.Break(fmt.Errorf("wrapped: %w", adapter.Refused{Reason: "Too Many Requests"}))
	if d := cmp.Diff([]string{"send 1 队列发送失败：Too Many Requests"}, fetch(t, g, call("send PAGE_QUEUE 0", "1"))); d != "" {
		t.Error(d)
	}
}

// a permission that names no producer aborts, and says so.
func TestBindingNotConfigured(t *testing.T) {
	t.Parallel()
	g := load(t)
	g.Grants["GHOST"] = hostfn.Binding{}
	_, err := g.Fetch("POST", "http://host/", call("send GHOST 0", "1"))
	if !errors.Is(err, bridge.Abort("绑定不存在：GHOST")) {
		t.Errorf("ended with %v", err)
	}
}

func TestExceptionStaysUntilTheNext(t *testing.T) {
	t.Parallel()
	got := fetch(t, load(t), "exception\nack 0\nkind\nexception\nexception 3\n"+call("send % 0", "1")+"exception")
	want := []string{"exception 0 =", "ack 1 当前事件不是队列事件", "kind 5 =fetch", "exception 30 =当前事件不是队列事件",
		"exception 30 ~", "send 1 队列绑定名不得为空", "exception 27 =队列绑定名不得为空"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestLengthConvention(t *testing.T) {
	t.Parallel()
	const script = "kind 0\nkind 4\nkind 5\nkind 6\nrequest 10\nrequest\nbody 1\n"
	got := fetch(t, load(t), script)
	want := []string{"kind 5 ~", "kind 5 ~", "kind 5 =fetch", "kind 5 =fetch", "request 69 ~",
		`request 69 ={"method":"POST","url":"http://host/p?q","headers":[["host","host"]]}`, fmt.Sprintf("body %d ~", len(script))}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestRespond(t *testing.T) {
	t.Parallel()
	const bad, status = "respond 1 答复头不是有效的 JSON 数组", "respond 1 答复状态须在 200 至 599 之间"
	tests := []struct{ name, script, want string }{
		{"status 199", "respond 199 0 0\n", status},
		{"status 600", "respond 600 0 0\n", status},
		{"status -1", "respond -1 0 0\n", status},
		{"status before the headers", "respond 0 1 0\n{", status},
		{"no headers at all", "respond 200 0 0\n", bad},
		{"headers that are not JSON", "respond 200 1 0\n[", bad},
		{"headers that are an object", "respond 200 2 0\n{}", bad},
		{"headers that are null", "respond 200 4 0\nnull", bad},
		{"a header that is null", "respond 200 6 0\n[null]", bad},
		{"a value that is null", "respond 200 12 0\n[[\"a\",null]]", bad},
		{"a name alone", "respond 200 7 0\n[[\"a\"]]", bad},
		{"three parts", "respond 200 15 0\n[[\"a\",\"b\",\"c\"]]", bad},
		{"a number", "respond 200 9 0\n[[\"a\",1]]", bad},
		{"a line break in a value", "respond 200 14 0\n[[\"a\",\"b\\nc\"]]", bad},
		{"a name that is no token", "respond 200 13 0\n[[\"a b\",\"c\"]]", bad},
		{"a number for a line", "respond 200 3 0\n[1]", bad},
		{"an escape in a name", call("respond 200", `[["a\u0020b","c"]]`, ""), bad},
		{"a control character in an escape", call("respond 200", `[["a","\u0000"]]`, ""), bad},
		{"not UTF-8", "respond 200 11 0\n[[\"a\",\"\xff\"]]", bad},
		{"33 levels", "respond 200 66 0\n" + strings.Repeat("[", 33) + strings.Repeat("]", 33), bad},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff([]string{tt.want}, fetch(t, load(t), tt.script)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRespondOnce(t *testing.T) {
	t.Parallel()
	g := load(t)
	res, err := g.Fetch("POST", "http://host/", call("respond 201", `[["A","b;c"],["q","\"\\\u4e2d"]]`, "ok")+"respond 999 2 0\n[]\nrespond 202 2 0\n[]\n")
	if err != nil {
		t.Fatal(err)
	}
	want := &hostfn.Response{Status: 201, Header: [][2]string{{"A", "b;c"}, {"q", `"\中`}}, Body: []byte("ok")}
	if d := cmp.Diff(want, res); d != "" {
		t.Error(d)
	}
	if want := "respond 0\nrespond 1 答复状态须在 200 至 599 之间\nrespond 1 请求已经答复\n"; g.Stdout() != want {
		t.Errorf("printed %q", g.Stdout())
	}
}

// The request functions outside a fetch event, the consumer functions outside a
// queue event.
func TestWrongKindOfEvent(t *testing.T) {
	t.Parallel()
	g := load(t)
	got := fetch(t, g, "read\nack -1\nretry -1 -1\n")
	want := []string{"read -1 !当前事件不是队列事件", "ack 1 当前事件不是队列事件", "retry 1 当前事件不是队列事件"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := g.Deliver("q", `"request\nbody\nrespond 9 0 0\n\n@kind\n"`); d.Err != nil {
		t.Fatal(d.Err)
	}
	const no = "当前事件不是网页事件"
	if want := "request -1 !" + no + "\nbody -1 !" + no + "\nrespond 1 " + no + "\nkind 5 =queue\n"; g.Stdout() != want {
		t.Errorf("printed %q, want %q", g.Stdout(), want)
	}
}

func TestReadBatchOfForeignBodies(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	script := adapter.Delivery{Attempts: 1, Body: []byte(`"ack 0"`)}
	tests := []struct {
		name string
		d    adapter.Delivery
		want string // the exception, or "" for none
		is   error  // the abort
	}{
		{"json that is not canonical", adapter.Delivery{Body: []byte(` {"b":1,"1":1e2} `)}, "", nil},
		{"json of 32 levels", adapter.Delivery{Body: []byte(deep(32))}, "", nil},
		{"A-40 json of 33 levels", adapter.Delivery{Body: []byte(deep(33))}, "", bridge.ErrTooDeep},
		{"text", adapter.Delivery{Type: adapter.Text, Body: []byte("a\"\n中")}, "", nil},
		{"A-39 text that is not UTF-8", adapter.Delivery{Type: adapter.Text, Body: []byte("\xff")}, "1", nil},
		{"A-39 bytes", adapter.Delivery{Type: adapter.Bytes, Body: []byte("1")}, "1", nil},
		{"A-39 json that is not valid", adapter.Delivery{Body: []byte("{")}, "1", nil},
		{"A-39 no body at all", adapter.Delivery{}, "1", nil},
		{"A-39 a number without a finite value", adapter.Delivery{Body: []byte("1e999")}, "1", nil},
		{"A-39 a host token", adapter.Delivery{Body: []byte(`{"$句柄":"1"}`)}, "1", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			g := load(t)
			if got, want := hostfn.Unreadable(tt.d), tt.want != "" || tt.is != nil; got != want {
				t.Errorf("Unreadable = %v", got)
			}
			d := g.DeliverRaw("q", script, tt.d)
			switch {
			case tt.is != nil:
				if !errors.Is(d.Err, tt.is) {
					t.Errorf("ended with %v", d.Err)
				}
			case tt.want != "":
				if d.Err == nil || g.Stdout() != "read -1 !队列消息正文不是 JSON 值：序号 "+tt.want+"\n" {
					t.Errorf("ended with %v, printed %q", d.Err, g.Stdout())
				}
			case d.Err != nil || len(d.Acked()) != 1:
				t.Errorf("ended with %v, acked %v", d.Err, d.Acked())
			}
		})
	}
}

func TestReadBatchText(t *testing.T) {
	t.Parallel()
	g := guesttest.LoadConfig(t, "../testdata/guests/probe.wasm",
		guest.Config{Env: map[string]string{"PROBE_QUEUE": "read 10\nread"}})
	d := g.DeliverRaw("页面\"<&>",
		adapter.Delivery{ID: strings.Repeat("a", 32), Attempts: 3, Enqueued: time.UnixMilli(1_799_999_999_123), Body: []byte(`{ "b" : [ 1e2 ] , "0" : "\u4e2d" }`)},
		adapter.Delivery{ID: strings.Repeat("b", 32), Attempts: 1, Enqueued: time.UnixMilli(0), Type: adapter.Text, Body: []byte("<\"中\n>")})
	if d.Err != nil || d.Acked() != nil || d.Retried() != nil {
		t.Fatalf("A-45: %v, acked %v, retried %v", d.Err, d.Acked(), d.Retried())
	}
	want := `{"queue":"页面\"<&>","messages":[{"id":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa","attempts":3,"timestamp":1799999999123,"body":{"0":"中","b":[100]}},` +
		`{"id":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb","attempts":1,"timestamp":0,"body":"<\"中\n>"}]}`
	text := strings.ReplaceAll(want, `\`, `\\`)
	if got, want := g.Stdout(), fmt.Sprintf("read %d ~\nread %d =%s\n", len(want), len(want), text); got != want {
		t.Error(cmp.Diff(want, got))
	}
}
