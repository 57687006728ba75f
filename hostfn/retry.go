package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"
)

// retry asks for one message of the batch again. Of several retries of
// a message the last delay stands; one after an ack has no effect and is no
// failure.
//
// # Parameters
//
//   - index: of the message in the batch, from 0
//   - delay: seconds until it is ready again, 1 to 43200, or 0 for the
//     consumer's configured delay
//
// Result (status). It throws outside a queue event, for an index outside the
// batch and for a delay out of range, in this order.
var retry = function{
	names:  [2]string{"重试队列消息", "retry"},
	params: []param{i64("index"), i64("delay")},
	result: status,
	call: func(_ context.Context, ev *Event, _ api.Module, args []uint64) (int32, error) {
		i, err := ev.message(int64(args[0]))
		if err != nil {
			return 0, err
		}
		delay, err := seconds(int64(args[1]))
		if err != nil {
			return 0, err
		}
		ev.Batch.Retry(i, delay)
		return 0, nil
	},
}
