package hostfn

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/validate"
)

const errNotQueue = bridge.Exception("当前事件不是队列事件")

// readBatch reads the batch of a queue event:
//
//	{"queue":"…","messages":[{"id":"…","attempts":1,"timestamp":1700000000000,"body":…},…]}
//
// The order of messages is that of the indexes of ack and retry, from 0;
// attempts counts from 1; timestamp is the enqueue in Unix milliseconds
// . Reading marks nothing.
//
// Result (length). It throws outside a queue event and for a body that is
// not a JSON value. It aborts for a body nested deeper than 32.
var readBatch = reads("读取队列批次", "read_batch", func(ev *Event) (_ []byte, err error) {
	if err := ev.inQueueEvent(); err != nil {
		return nil, err
	}
	if ev.batchText == nil {
		ev.batchText, err = appendBatch(nil, ev.Batch)
	}
	return ev.batchText, err
})

func (ev *Event) inQueueEvent() error {
	if ev.Kind != KindQueue || ev.Batch == nil {
		return errNotQueue
	}
	return nil
}

// appendBatch writes the batch as read_batch returns it, into one allocation
// unless bodies grow by being made canonical.
func appendBatch(dst []byte, b *batch.Batch) ([]byte, error) {
	size := len(b.Queue()) + 64
	for _, d := range b.Deliveries() {
		size += len(d.Body) + 128
	}
	dst = slices.Grow(dst, size)
	dst = append(dst, `{"queue":`...)
	dst = validate.AppendString(dst, b.Queue())
	dst = append(dst, `,"messages":[`...)
	for i, d := range b.Deliveries() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"id":`...)
		dst = validate.AppendString(dst, d.ID)
		dst = append(dst, `,"attempts":`...)
		dst = strconv.AppendInt(dst, int64(d.Attempts), 10)
		dst = append(dst, `,"timestamp":`...)
		dst = strconv.AppendInt(dst, d.Enqueued.UnixMilli(), 10)
		dst = append(dst, `,"body":`...)
		var err error
		if dst, err = appendBody(dst, d); err != nil {
			if errors.Is(err, bridge.ErrNotValue) {
				return nil, bridge.Exception(fmt.Sprintf("队列消息正文不是 JSON 值：序号 %d", i))
			}
			return nil, err
		}
		dst = append(dst, '}')
	}
	return append(dst, `]}`...), nil
}

// appendBody appends a stored body as the JSON value a guest may see.
func appendBody(dst []byte, d adapter.Delivery) ([]byte, error) {
	switch d.Type {
	case adapter.JSON:
		return bridge.AppendJSON(dst, d.Body)
	case adapter.Text:
		return bridge.AppendText(dst, d.Body)
	}
	return dst, bridge.ErrNotValue
}

// Unreadable reports whether read_batch would throw or abort because of this
// message. A consumer gives it an event of its own, so that its neighbours do
// not fail with it.
func Unreadable(d adapter.Delivery) bool {
	out := outgoing.Get().(*outbox)
	defer outgoing.Put(out)
	body, err := appendBody(out.body[:0], d)
	out.body = body[:0]
	return err != nil
}
