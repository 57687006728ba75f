package wazqueue

import "encoding/json"

// Send puts one message, any JSON value, into a binding's queue; it is delivered
// after delay seconds, 0 to 43200.
func Send(binding string, body []byte, delay int64) error {
	return check(hostSend(binding, string(body), delay))
}

// SendBatch puts up to 100 messages into a binding's queue, all or none. The
// text is a JSON array of {"body":…,"delaySeconds":…}, the delay optional.
func SendBatch(binding string, messages []byte) error {
	return check(hostSendBatch(binding, string(messages)))
}

// ReadBatch returns the messages of this queue event.
func ReadBatch() (b Batch, err error) {
	text, err := read(hostReadBatch)
	if err != nil {
		return b, err
	}
	return b, json.Unmarshal(text, &b)
}

// Ack marks a message as done, whatever becomes of the event.
func Ack(index int) error { return check(hostAck(int64(index))) }

// Retry asks for a message again after delay seconds, 0 meaning the queue's own
// retry delay.
func Retry(index int, delay int64) error { return check(hostRetry(int64(index), delay)) }

// EventKind returns "queue", "fetch" or an embedder's own kind.
func EventKind() (string, error) {
	text, err := read(hostEventKind)
	return string(text), err
}

// ReadRequest returns the head of this fetch event's request.
func ReadRequest() (r Request, err error) {
	text, err := read(hostReadRequest)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(text, &r)
}

// ReadBody returns the body of this fetch event's request.
func ReadBody() ([]byte, error) { return read(hostReadBody) }

// Respond gives the answer of this fetch event, once. It is sent when the event
// has ended well.
func Respond(status int, headers [][2]string, body []byte) error {
	if headers == nil {
		headers = [][2]string{}
	}
	text, err := json.Marshal(headers)
	if err != nil {
		return err
	}
	return check(hostRespond(int32(status), string(text), string(body)))
}
