package page_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest-examples/go/page"
	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
)

func TestRoute(t *testing.T) {
	t.Parallel()
	type send struct {
		Binding, Body string
		Delay         int64
		Batch         bool
	}
	const queued = `{"queued":true}`
	for _, tc := range []struct {
		name        string
		method, url string
		refuse      error
		status      int
		answer      string
		sends       []send
	}{
		{"one", "POST", "http://h/render", nil, 202, queued, []send{{"PAGE_QUEUE", "BODY", 0, false}}},
		{"one with a delay", "POST", "http://h/render?x=1&delay=30", nil, 202, queued, []send{{"PAGE_QUEUE", "BODY", 30, false}}},
		{"the host judges the delay", "POST", "http://h/render?delay=-1", wazqueue.Exception("延迟秒数须在 0 至 43200 之间"), 400,
			`{"error":"延迟秒数须在 0 至 43200 之间"}`, []send{{"PAGE_QUEUE", "BODY", -1, false}}},
		{"a delay beyond int64", "POST", "http://h/render?delay=-99999999999999999999", wazqueue.Exception("延迟秒数须在 0 至 43200 之间"), 400,
			`{"error":"延迟秒数须在 0 至 43200 之间"}`, []send{{"PAGE_QUEUE", "BODY", math.MinInt64, false}}},
		{"no delay at all", "POST", "http://h/render?delay=soon", nil, 400, `{"error":"delay is not a whole number"}`, nil},
		{"many", "POST", "http://h/render/batch", nil, 202, queued, []send{{"PAGE_QUEUE", "BODY", 0, true}}},
		{"many refused", "POST", "http://h/render/batch", wazqueue.Exception(`队列批量发送失败："full" & <done>`), 400,
			`{"error":"队列批量发送失败：\"full\" & <done>"}`, []send{{"PAGE_QUEUE", "BODY", 0, true}}},
		{"another path", "POST", "http://h/renders", nil, 404, `{"error":"not found"}`, nil},
		{"another method", "PUT", "http://h/render", nil, 404, `{"error":"not found"}`, nil},
		{"not a URL", "POST", "http://h/%", nil, 404, `{"error":"not found"}`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var sends []send
			got := page.Route(wazqueue.Request{Method: tc.method, URL: tc.url}, []byte("BODY"), page.Queue{
				Send: func(binding string, body []byte, delay int64) error {
					sends = append(sends, send{binding, string(body), delay, false})
					return tc.refuse
				},
				SendBatch: func(binding string, messages []byte) error {
					sends = append(sends, send{binding, string(messages), 0, true})
					return tc.refuse
				},
			})
			want := page.Answer{Status: tc.status, Type: "application/json", Body: []byte(tc.answer)}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.sends, sends); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRouteHelp(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://h/", "http://h/?a=b"} {
		if got := page.Route(wazqueue.Request{Method: "GET", URL: url}, nil, page.Queue{}); got.Status != 200 || len(got.Body) == 0 {
			t.Errorf("GET %s: %d %q", url, got.Status, got.Body)
		}
	}
}
