// Package wazqueue is the binding a Go guest uses: the host functions with Go
// types, and their exceptions as errors. Copy it or import it. The functions
// exist for GOOS=wasip1 only; the types exist everywhere, so that what a guest
// decides can be tested like any Go code. It must import nothing of the host.
package wazqueue

import "encoding/json"

// An Exception is what the host threw: a fixed text, in Chinese. It can be
// handled like any error; an event that returns it fails.
//
// An abort is not an exception: a binding that is not permitted, for one, ends
// the event at once and returns to nobody.
type Exception string

func (e Exception) Error() string { return string(e) }

// A Batch is the messages of a queue event.
type Batch struct {
	Queue    string    `json:"queue"`
	Messages []Message `json:"messages"`
}

// A Message's place in its batch is the index that Ack and Retry take.
type Message struct {
	ID        string          `json:"id"`
	Attempts  int             `json:"attempts"`  // from 1
	Timestamp int64           `json:"timestamp"` // of the first enqueue, Unix milliseconds
	Body      json.RawMessage `json:"body"`
}

// A Request is the head of a fetch event. URL is absolute, header names are
// lower case.
type Request struct {
	Method  string      `json:"method"`
	URL     string      `json:"url"`
	Headers [][2]string `json:"headers"`
}
