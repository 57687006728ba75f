package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/validate"
)

// sendBatch puts 1 to 100 messages into a queue, all or none.
//
// # Parameters
//
//   - binding, binding_len: name of the binding, UTF-8
//   - messages, messages_len: JSON text of at most 1 MiB, an array of
//     {"body": any value, "delaySeconds": whole number from 0 to 43200}, of
//     which the delay may be left out
//
// Result (status). It throws, in this order, for an empty binding name, a text
// that validate.Batch rejects, and a backend that refuses. It aborts like send.
// Nothing is sent unless every message passes.
var sendBatch = function{
	names:  [2]string{"批量发送队列消息", "send_batch"},
	params: []param{i32("binding"), i32("binding_len"), i32("messages"), i32("messages_len")},
	result: status,
	call: func(ctx context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
		name, text, err := nameAndText(mod, args)
		if err != nil {
			return 0, err
		}
		to, err := ev.binding(name)
		if err != nil {
			return 0, err
		}
		items, err := validate.Batch(text)
		if err != nil {
			return 0, bridge.Exception(err.Error())
		}
		msgs := make([]adapter.Message, len(items))
		for i, it := range items {
			msgs[i] = adapter.Message{Body: it.Body, Delay: named(it.Delay)}
		}
		return 0, ev.deliver(ctx, to, "队列批量发送失败：", msgs)
	},
}
