package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

// readBody reads the raw bytes of a fetch event's request body.
//
// Result (length). It throws outside a fetch event.
var readBody = function{
	names:  [2]string{"读取入站正文", "read_body"},
	params: buffer(),
	result: length,
	call: func(_ context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
		buf, err := bridge.Offer(mod, uint32(args[0]), uint32(args[1]))
		if err != nil {
			return 0, err
		}
		if err := ev.inFetchEvent(); err != nil {
			return 0, err
		}
		return bridge.Put(buf, ev.Request.Body), nil
	},
}
