// Package guestexamples holds the tests of the sample guests: one service in
// several languages, which have to agree.
package guestexamples

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// languages are those a guest is here in; a compiled one's name ends in it.
var languages = []string{"go", "rust", "zig", "c", "as", "wat", "js"}

// everywhere runs a test with each language's guest.
func everywhere(t *testing.T, test func(t *testing.T, g *guesttest.Guest)) {
	t.Helper()
	t.Parallel()
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			test(t, guesttest.Load(t, file(language), "PAGE_QUEUE"))
		})
	}
}

func file(language string) string {
	if language == "js" {
		return "javascript/page.js" // not compiled
	}
	return "../testdata/guests/page-" + language + ".wasm"
}

// ask makes a request and holds its answer to what is wanted.
func ask(t *testing.T, g *guesttest.Guest, method, url, body string, status int, answer string) {
	t.Helper()
	r, err := g.Fetch(method, "http://localhost:8787"+url, body)
	if err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	if r.Status != status || string(r.Body) != answer {
		t.Errorf("%s %s: %d %q, want %d %q", method, url, r.Status, r.Body, status, answer)
	}
}

const (
	queued = `{"queued":true}`
	job    = `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`
)

func refused(text string) string { return `{"error":"` + text + `"}` }

func TestRequestsAreRouted(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		const help = `page-render: POST /render {"kind":"page","url":"/x","version":"v8"}, POST /render/batch [{"body":{}}]` + "\n"
		ask(t, g, "GET", "/", "", 200, help)
		ask(t, g, "GET", "/?a=/render#b", "", 200, help)
		ask(t, g, "HEAD", "/", "", 404, refused("not found"))
		ask(t, g, "GET", "/render", "", 404, refused("not found"))
		ask(t, g, "POST", "/", job, 404, refused("not found"))
		ask(t, g, "POST", "/render/", job, 404, refused("not found"))
		ask(t, g, "POST", "/renders", job, 404, refused("not found"))
		if sends := g.Sends(); len(sends) > 0 {
			t.Errorf("sent %v", sends)
		}
	})
}

// what goes in over HTTP is what the queue gets.
func TestRequestsAreSent(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		long := `"` + strings.Repeat("a", 127_998) + `"`
		ask(t, g, "POST", "/render", job, 202, queued)
		ask(t, g, "POST", "/render?x=1&delay=43200", " [ 1 ] ", 202, queued)
		ask(t, g, "POST", "/render?delay=", "null", 202, queued)
		ask(t, g, "POST", "/render", long, 202, queued)
		ask(t, g, "POST", "/render/batch", `[{"body":`+job+`},{"body":"],[{\"body\":1}","delaySeconds":5}]`, 202, queued)
		want := []guesttest.Send{
			{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: job}}},
			{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: "[1]", Delay: 12 * time.Hour}}},
			{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: "null"}}},
			{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: long}}},
			{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: job}, {Body: `"],[{\"body\":1}"`, Delay: 5 * time.Second}}},
		}
		if diff := cmp.Diff(want, g.Sends()); diff != "" {
			t.Error(diff)
		}
	})
}

// a guest catches the host's exceptions in its own language.
func TestExceptionsAreCaught(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		const delay, syntax = "延迟秒数须在 0 至 43200 之间", "消息体不是有效的 JSON 文字"
		ask(t, g, "POST", "/render?delay=-1", "1", 400, refused(delay))
		ask(t, g, "POST", "/render?delay=43201", "1", 400, refused(delay))
		ask(t, g, "POST", "/render?delay=99999999999999999999", "1", 400, refused(delay))
		ask(t, g, "POST", "/render?delay=-99999999999999999999", "1", 400, refused(delay))
		for _, text := range []string{"soon", "-", "+5", "5s", "1_000", "1.5", "-+5"} {
			ask(t, g, "POST", "/render?delay="+text, "1", 400, refused("delay is not a whole number"))
		}
		ask(t, g, "POST", "/render", "", 400, refused(syntax))
		ask(t, g, "POST", "/render", "\"\xff\"", 400, refused(syntax))
		ask(t, g, "POST", "/render", `{"$句柄":"1"}`, 400, refused("消息体含有不属于 JSON 的值或宿主专用记号"))
		ask(t, g, "POST", "/render", `"`+strings.Repeat("a", 127_999)+`"`, 400, refused("消息体超过 128000 字节"))
		ask(t, g, "POST", "/render/batch", "[]", 400, refused("批量消息不得为空"))
		g.Refuse("Queue is \"full\"\n\x1f\\ <&>")
		const reason = `Queue is \"full\"\u000a\u001f\\ <&>`
		for path, body := range map[string]string{"/render": "1", "/render/batch": `[{"body":1}]`} {
			r, err := g.Fetch("POST", "http://h"+path, body)
			if err != nil {
				t.Fatal(err)
			}
			name := map[string]string{"/render": "队列发送失败：", "/render/batch": "队列批量发送失败："}[path]
			if got := strings.ReplaceAll(string(r.Body), `\n`, `\u000a`); r.Status != 400 || got != refused(name+reason) {
				t.Errorf("%s: %d %s", path, r.Status, r.Body)
			}
		}
		if sends := g.Sends(); len(sends) > 0 {
			t.Errorf("sent %v", sends)
		}
	})
}

// a binding that is not permitted is no exception: nothing is answered.
func TestAbortsAreNotCaught(t *testing.T) {
	t.Parallel()
	for _, language := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			g := guesttest.Load(t, file(language))
			if r, err := g.Fetch("POST", "http://h/render", job); err == nil || !strings.Contains(err.Error(), "未授权的QUEUE绑定：PAGE_QUEUE") {
				t.Errorf("answered %v, %v", r, err)
			}
		})
	}
}

// Where initialisation asks the host for nothing, no event can tell a rewound
// instance from a new one. Go's runtime asks.
func TestInstancesAreRewound(t *testing.T) {
	everywhere(t, func(t *testing.T, g *guesttest.Guest) {
		want := guest.Rewind
		if strings.HasSuffix(t.Name(), "/go") {
			want = guest.New
		}
		if got, why := g.Program.Reuse(); got != want {
			t.Errorf("%v: %s", got, strings.Join(why, "; "))
		}
	})
}
