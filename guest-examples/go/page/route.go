package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"net/url"
	"strconv"

	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
)

// binding is the name under which the deployment gives the program its queue.
const binding = "PAGE_QUEUE"

const help = `page-render: POST /render {"kind":"page","url":"/x","version":"v8"}, POST /render/batch [{"body":{}}]` + "\n"

// Queue is the producer side of the host.
type Queue struct {
	Send      func(binding string, body []byte, delay int64) error
	SendBatch func(binding string, messages []byte) error
}

// An Answer is what a request gets.
type Answer struct {
	Status int
	Type   string
	Body   []byte
}

// Route answers one request.
func Route(r wazqueue.Request, body []byte, q Queue) Answer {
	u, err := url.Parse(r.URL)
	if err != nil {
		return failure(404, "not found")
	}
	switch r.Method + " " + u.Path {
	case "GET /":
		return Answer{200, "text/plain; charset=utf-8", []byte(help)}
	case "POST /render":
		delay, err := strconv.ParseInt(cmp.Or(u.Query().Get("delay"), "0"), 10, 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) { // out of range: the host says so
			return failure(400, "delay is not a whole number")
		}
		return queued(q.Send(binding, body, delay))
	case "POST /render/batch":
		return queued(q.SendBatch(binding, body))
	}
	return failure(404, "not found")
}

func queued(err error) Answer {
	if err != nil {
		return failure(400, err.Error())
	}
	return answer(202, map[string]bool{"queued": true})
}

func failure(status int, text string) Answer { return answer(status, map[string]string{"error": text}) }

func answer(status int, v any) Answer {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // a map of strings or booleans cannot fail
	return Answer{status, "application/json", bytes.TrimSuffix(text.Bytes(), []byte("\n"))}
}
