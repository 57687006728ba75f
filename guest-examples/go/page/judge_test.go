package page_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest-examples/go/page"
	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		body     string
		attempts int
		want     page.Verdict
	}{
		{"a page", `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`, 1, page.Verdict{Did: "rendered", Mark: page.Ack}},
		{"escapes", `{"url":"\u002frelease","version":"\u00768"}`, 1, page.Verdict{Did: "rendered", Mark: page.Ack}},
		{"another version", `{"url":"/release/x","version":"v7"}`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"no version", `{"url":"/release/x"}`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"a version that is no string", `{"url":"/release/x","version":8}`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"keys have a case", `{"url":"/release/x","VERSION":"v8"}`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"the version further in", `{"a":{"version":"v8"},"url":"/x"}`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"not an object", `["version","v8"]`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"a string that looks like one", `"{\"version\":\"v8\"}"`, 1, page.Verdict{Did: "skipped", Mark: page.Ack}},
		{"left alone", `{"url":"/pass/x","version":"v8"}`, 1, page.Verdict{Did: "passed", Mark: page.Leave}},
		{"fails once", `{"url":"/fail","version":"v8"}`, 1, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 30}},
		{"fails twice", `{"url":"/fail","version":"v8"}`, 2, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 60}},
		{"fails a fourth time", `{"url":"/fail","version":"v8"}`, 4, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 240}},
		{"fails for ever", `{"url":"/fail","version":"v8"}`, 90, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 240}},
		{"no URL", `{"version":"v8"}`, 1, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 30}},
		{"a URL that is no path", `{"url":"x","version":"v8"}`, 1, page.Verdict{Did: "retried", Mark: page.Retry, Delay: 30}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := wazqueue.Message{ID: "a", Attempts: tc.attempts, Body: json.RawMessage(tc.body)}
			if diff := cmp.Diff(tc.want, page.Judge(m)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
