package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

const errIndex = bridge.Exception("队列消息序号越界")

// ack marks one message of the batch as handled. Marks are settled
// together after the event; an ack after a retry of the same message has no
// effect and is no failure.
//
// # Parameters
//
//   - index: of the message in the batch, from 0
//
// Result (status). It throws outside a queue event and for an index outside the
// batch, in this order.
var ack = function{
	names:  [2]string{"确认队列消息", "ack"},
	params: []param{i64("index")},
	result: status,
	call: func(_ context.Context, ev *Event, _ api.Module, args []uint64) (int32, error) {
		i, err := ev.message(int64(args[0]))
		if err != nil {
			return 0, err
		}
		ev.Batch.Ack(i)
		return 0, nil
	},
}

// message checks the index of a message of the event's batch.
func (ev *Event) message(index int64) (int, error) {
	if err := ev.inQueueEvent(); err != nil {
		return 0, err
	}
	if index < 0 || index >= int64(ev.Batch.Len()) {
		return 0, errIndex
	}
	return int(index), nil
}
