package hostfn

import (
	"bytes"
	"context"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/bridge"
)

const (
	errStatus    = bridge.Exception("答复状态须在 200 至 599 之间")
	errHeader    = bridge.Exception("答复头不是有效的 JSON 数组")
	errResponded = bridge.Exception("请求已经答复")
)

// respond answers the request of a fetch event. The answer is held until the
// event ends, and dropped where the event fails.
//
// # Parameters
//
//   - status: 200 to 599
//   - headers, headers_len: JSON text [["name","value"],…] of valid HTTP header
//     names and values
//   - body, body_len: the raw bytes of the body
//
// Result (status). It throws outside a fetch event, for a status out of range,
// for headers that are not such a text, and when called again after it
// succeeded, in this order.
var respond = function{
	names: [2]string{"答复入站请求", "respond"},
	params: []param{i32("status"), i32("headers"), i32("headers_len"),
		i32("body"), i32("body_len")},
	result: status,
	call: func(_ context.Context, ev *Event, mod api.Module, args []uint64) (int32, error) {
		headers, err := bridge.View(mod, uint32(args[1]), uint32(args[2]))
		if err != nil {
			return 0, err
		}
		body, err := bridge.View(mod, uint32(args[3]), uint32(args[4]))
		if err != nil {
			return 0, err
		}
		if err := ev.inFetchEvent(); err != nil {
			return 0, err
		}
		code := api.DecodeI32(args[0])
		if code < 200 || code > 599 {
			return 0, errStatus
		}
		header, err := parseHeader(headers)
		if err != nil {
			return 0, err
		}
		if ev.Response != nil {
			return 0, errResponded
		}
		ev.Response = &Response{Status: int(code), Header: header, Body: bytes.Clone(body)}
		return 0, nil
	},
}
