package hostfn

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/validate"
)

const (
	errEmptyBinding = bridge.Exception("队列绑定名不得为空")
	errDelay        = bridge.Exception("延迟秒数须在 0 至 43200 之间")
)

// maxDelay is the longest delay a guest may name, in seconds.
const maxDelay = 43200

// send puts one message into a queue.
//
// # Parameters
//
//   - binding, binding_len: name of the binding, UTF-8
//   - body, body_len: JSON text of the message, at most 128000 bytes
//   - delay: seconds until it is ready, 0 to 43200; 0 names no delay
//
// Result (status). It throws, in this order, for an empty binding name, a delay
// out of range, a body that validate.Body rejects, and a backend that refuses.
// It aborts for a pointer outside guest memory and for a binding that is not
// permitted or not configured. Nothing is sent unless all checks pass.
var send = function{
	names:  [2]string{"发送队列消息", "send"},
	params: []param{i32("binding"), i32("binding_len"), i32("body"), i32("body_len"), i64("delay")},
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
		delay, err := seconds(int64(args[4]))
		if err != nil {
			return 0, err
		}
		out := outgoing.Get().(*outbox)
		defer outgoing.Put(out)
		if out.body, err = validate.Body(out.body[:0], text); err != nil {
			return 0, bridge.Exception(err.Error())
		}
		out.msgs[0] = adapter.Message{Body: out.body, Delay: named(delay)}
		return 0, ev.deliver(ctx, to, "队列发送失败：", out.msgs[:])
	},
}

// outbox is the room one send needs until the sender has copied it.
type outbox struct {
	body []byte
	msgs [1]adapter.Message
}

var outgoing = sync.Pool{New: func() any { return new(outbox) }}

// nameAndText is the guest's view of a binding name and of a JSON text.
func nameAndText(mod api.Module, args []uint64) (name, text []byte, err error) {
	if name, err = bridge.View(mod, uint32(args[0]), uint32(args[1])); err != nil {
		return nil, nil, err
	}
	text, err = bridge.View(mod, uint32(args[2]), uint32(args[3]))
	return name, text, err
}

// seconds is a guest's delay, or errDelay.
func seconds(n int64) (time.Duration, error) {
	if n < 0 || n > maxDelay {
		return 0, errDelay
	}
	return time.Duration(n) * time.Second, nil
}

// named is the delay of a message: a guest's 0 names none.
func named(d time.Duration) adapter.Delay {
	if d == 0 {
		return adapter.Delay{}
	}
	return adapter.After(d)
}

// deliver hands messages to the sender and turns its errors into what a guest
// may know of them. A send that ends because the event's time is up ends
// the event.
func (ev *Event) deliver(ctx context.Context, to Binding, failed string, msgs []adapter.Message) error {
	err := to.Sender.Send(ctx, to.Queue, msgs...)
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil {
		return ended
	}
	if no, ok := errors.AsType[adapter.Refused](err); ok {
		return bridge.Exception(failed + no.Reason)
	}
	ev.log().ErrorContext(ctx, "send failed", "queue", to.Queue, "error", err)
	return bridge.Exception(failed + "queue unavailable")
}
