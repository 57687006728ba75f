package hostfn

import (
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

// exceptionMessage reads the text of the exception that was thrown last in this
// event, UTF-8, of 0 bytes where none was. It stays until the next throws.
//
// Result (length). It never throws.
var exceptionMessage = function{
	names:  [2]string{"读取异常消息", "exception_message"},
	params: buffer(),
	result: length,
	call: func(_ context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
		buf, err := bridge.Offer(mod, uint32(args[0]), uint32(args[1]))
		if err != nil {
			return 0, err
		}
		return bridge.Put(buf, ev.exception), nil
	},
}
