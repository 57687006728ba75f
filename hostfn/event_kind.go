package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

// eventKind reads the kind of the event: queue, fetch, or an embedder's.
//
// Result (length). It never throws.
var eventKind = function{
	names:  [2]string{"读取入站事件种类", "event_kind"},
	params: buffer(),
	result: length,
	call: func(_ context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
		buf, err := bridge.Offer(mod, uint32(args[0]), uint32(args[1]))
		if err != nil {
			return 0, err
		}
		return bridge.Put(buf, ev.Kind), nil
	},
}
