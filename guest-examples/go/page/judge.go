// Package page is what the page-render service decides: which answer a request
// gets and what becomes of a message. It calls the host through nothing but
// functions it is given, and must not import anything that needs one.
package page

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
)

// Version is the program's own. Messages of another version are not its
// business: whoever wrote them has been replaced.
const Version = "v8"

// The marks a message can get.
const (
	Leave = iota // none: done if the event ends well
	Ack
	Retry
)

// A Verdict is what becomes of one message.
type Verdict struct {
	Did   string // rendered, retried, skipped or passed
	Mark  int
	Delay int64 // seconds before a retry
}

// Judge handles one message.
func Judge(m wazqueue.Message) Verdict {
	var job map[string]json.RawMessage // not a struct: its keys would match VERSION too
	if json.Unmarshal(m.Body, &job) != nil || text(job["version"]) != Version {
		return Verdict{Did: "skipped", Mark: Ack}
	}
	url := text(job["url"])
	if strings.HasPrefix(url, "/pass") {
		return Verdict{Did: "passed", Mark: Leave}
	}
	if _, err := render(url); err != nil {
		return Verdict{Did: "retried", Mark: Retry, Delay: backoff(m.Attempts)}
	}
	return Verdict{Did: "rendered", Mark: Ack}
}

// text returns a JSON string's value, or nothing for anything else.
func text(value json.RawMessage) (s string) {
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// render is the work: a pure function, since a message may come twice.
func render(url string) (string, error) {
	if !strings.HasPrefix(url, "/") || strings.HasPrefix(url, "/fail") {
		return "", errors.New("no such page")
	}
	return "<!doctype html><title>" + url + "</title>", nil
}

// backoff is the delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s.
func backoff(attempts int) int64 { return int64(min(300, 15<<min(attempts, 4))) }
