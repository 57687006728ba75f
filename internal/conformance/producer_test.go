package conformance

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/hostfn"
)

// What the interface promises producers, beyond the rows of its table.
func TestProducer(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	const (
		token  = "消息体含有不属于 JSON 的值或宿主专用记号"
		syntax = "消息体不是有效的 JSON 文字"
		large  = "消息体超过 128000 字节"
	)
	tests := []struct {
		name, script string
		want         []string
		bodies       []string // that reached the store
	}{
		{"A-6, A-10 any JSON value",
			raw("send PAGE_QUEUE 0", `{"a":[]}`) + raw("send PAGE_QUEUE 0", `[1]`) + raw("send PAGE_QUEUE 0", `"s"`) +
				raw("send PAGE_QUEUE 0", `-1.5`) + raw("send PAGE_QUEUE 0", `true`) + raw("send PAGE_QUEUE 0", `null`),
			[]string{"send 0", "send 0", "send 0", "send 0", "send 0", "send 0"},
			[]string{`{"a":[]}`, `[1]`, `"s"`, `-1.5`, `true`, `null`}},
		{"A-9 an empty name is an exception", raw("send % 0", "1") + raw("batch %", "[]") + "kind",
			[]string{"send 1 队列绑定名不得为空", "batch 1 队列绑定名不得为空", "kind 5 =fetch"}, nil},
		{"A-11 normalised", raw("send PAGE_QUEUE 0", " { \"b\" : \"\\u4e2d\\/\" ,\n\"a\":1.50, \"1\":[ ] } "),
			[]string{"send 0"}, []string{`{"1":[],"b":"中/","a":1.5}`}},
		{"A-12 numbers are doubles", raw("send PAGE_QUEUE 0", "[9007199254740993,0.1,1e21,-0]"),
			[]string{"send 0"}, []string{"[9007199254740992,0.1,1e+21,0]"}},
		{"A-13 the text counts", "fill PAGE_QUEUE 0 10 97 127990\nfill PAGE_QUEUE 0 10 97 127991",
			[]string{"fill 0", "fill 1 " + large}, []string{`"aaaaaaaa"`}},
		{"A-13 the normalised text counts", raw("send PAGE_QUEUE 0", "["+strings.Repeat("1e20,", 25000)+"1]"),
			[]string{"send 1 " + large}, nil},
		{"A-15 24 levels", raw("send PAGE_QUEUE 0", nested(24)) + raw("send PAGE_QUEUE 0", nested(25)) +
			raw("send PAGE_QUEUE 0", `{"a":`+nested(24)+`}`),
			[]string{"send 0", "send 1 消息体嵌套超过 24 层", "send 1 消息体嵌套超过 24 层"}, []string{nested(24)}},
		{"A-17 every host token", raw("send PAGE_QUEUE 0", `{"$未定义":1}`) + raw("send PAGE_QUEUE 0", `[{"$大整数":"1"}]`) +
			raw("send PAGE_QUEUE 0", `{"a":{"b":1,"$数字":"NaN"}}`) + raw("send PAGE_QUEUE 0", `{"$":1,"$句":2,"a":"$句柄"}`),
			[]string{"send 1 " + token, "send 1 " + token, "send 1 " + token, "send 0"}, []string{`{"$":1,"$句":2,"a":"$句柄"}`}},
		{"A-18 tokens in escapes", raw("send PAGE_QUEUE 0", `{"\u0024\u53E5\u67c4":1}`), []string{"send 1 " + token}, nil},
		{"A-19 overflow", raw("send PAGE_QUEUE 0", `[-1e309]`), []string{"send 1 " + token}, nil},
		{"A-30 not JSON", raw("send PAGE_QUEUE 0", `{'a':1}`) + raw("send PAGE_QUEUE 0", ``) + "badutf8send PAGE_QUEUE 0",
			[]string{"send 1 " + syntax, "send 1 " + syntax, "badutf8send 1 " + syntax}, nil},
		{"A-22, A-23 items", raw("batch PAGE_QUEUE", `[{"body":{"a":1}},{"delaySeconds":30,"body":null},{"body":2,"delaySeconds":0}]`),
			[]string{"batch 0"}, []string{`{"a":1}`, `null`, `2`}},
		{"A-25 each body", "fillbatch PAGE_QUEUE 1 128000\nfillbatch PAGE_QUEUE 1 128001",
			[]string{"fillbatch 0", "fillbatch 1 批量消息体超过 128000 字节"}, []string{`"` + strings.Repeat("a", 127998) + `"`}},
		{"A-25 all bodies", "fillbatch PAGE_QUEUE 2 128000\nfillbatch PAGE_QUEUE 100 2561",
			[]string{"fillbatch 0", "fillbatch 1 批量消息体合计超过 256000 字节"},
			[]string{`"` + strings.Repeat("a", 127998) + `"`, `"` + strings.Repeat("a", 127998) + `"`}},
		{"A-26 the text of a batch", "fillbatch PAGE_QUEUE 1 2 97 1048563\nfillbatch PAGE_QUEUE 1 2 97 1048564",
			[]string{"fillbatch 0", "fillbatch 1 批量消息文字超过 1 MiB"}, []string{`""`}},
		{"A-26 each body's depth", raw("batch PAGE_QUEUE", `[{"body":`+nested(24)+`}]`) + raw("batch PAGE_QUEUE", `[{"body":1},{"body":`+nested(25)+`}]`),
			[]string{"batch 0", "batch 1 批量消息嵌套超过 24 层"}, []string{nested(24)}},
		{"A-27 one bad item", raw("batch PAGE_QUEUE", `[{"body":1},{"body":2},{"body":{"$句柄":1}}]`) + raw("batch PAGE_QUEUE", `[{"body":1},{"body":2}`),
			[]string{"batch 1 批量消息含有不属于 JSON 的值或宿主专用记号", "batch 1 批量消息不是有效的 JSON 文字"}, nil},
		{"A-29, A-32 a guest goes on after an exception", raw("send PAGE_QUEUE 0", "{") + "exception\n" + raw("send PAGE_QUEUE 0", "1"),
			[]string{"send 1 " + syntax, fmt.Sprintf("exception %d =%s", len(syntax), syntax), "send 0"}, []string{"1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, "", func(r *rig) {
				r.expect(tt.script, tt.want...)
				if d := cmp.Diff(tt.bodies, r.store.bodies()); d != "" {
					r.t.Error(d)
				}
			})
		})
	}
}

// a name that is not permitted or not configured ends the request.
func TestBindingsAbort(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.guest.Grants["GHOST"] = hostfn.Binding{}
		for name, want := range map[string]bridge.Abort{
			"OTHER": "未授权的QUEUE绑定：OTHER", "page_queue": "未授权的QUEUE绑定：page_queue", "GHOST": "绑定不存在：GHOST",
		} {
			for _, script := range []string{raw("send "+name+" 0", "{"), raw("batch "+name, "{")} {
				if _, err := r.tryFetch(script + raw("send PAGE_QUEUE 0", "1")); !errors.Is(err, want) {
					r.t.Errorf("%s: ended with %v", name, err)
				}
			}
		}
		r.count(0)
		r.expect(raw("send PAGE_QUEUE 0", "1"), "send 0")
	})
}

// what the gate lets pass the platform may still refuse, which is a
// platform failure.
func TestPlatformRefusesALargeMessage(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.store.refuse = adapter.Refused{Reason: "message length of 128000 bytes exceeds limit"}
		r.expect("fill PAGE_QUEUE 0 128000", "fill 1 队列发送失败：message length of 128000 bytes exceeds limit")
	})
}

// 0 sends no delay, so that the queue's own applies.
func TestNoDelay(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.expect(raw("send PAGE_QUEUE 0", "1")+raw("batch PAGE_QUEUE", `[{"body":2},{"body":3,"delaySeconds":0},{"body":4,"delaySeconds":1e1}]`), "send 0", "batch 0")
		r.sent(adapter.Message{Body: []byte("1")}, adapter.Message{Body: []byte("2")}, adapter.Message{Body: []byte("3")},
			adapter.Message{Body: []byte("4"), Delay: adapter.After(10 * time.Second)})
	})
}
