package hostfn

import (
	"github.com/wazqueue/wazqueue/bridge"
	"github.com/wazqueue/wazqueue/validate"
)

const errNotFetch = bridge.Exception("当前事件不是网页事件")

// readRequest reads the request of a fetch event without its body:
//
//	{"method":"POST","url":"http://host/path","headers":[["host","host"],…]}
//
// Text that is not UTF-8, as header values may be, carries U+FFFD in place of
// the bytes that are not.
//
// Result (length). It throws outside a fetch event.
var readRequest = reads("读取入站请求", "read_request", func(ev *Event) ([]byte, error) {
	if err := ev.inFetchEvent(); err != nil {
		return nil, err
	}
	if ev.requestText == nil {
		ev.requestText = appendRequest(nil, ev.Request)
	}
	return ev.requestText, nil
})

func (ev *Event) inFetchEvent() error {
	if ev.Kind != KindFetch || ev.Request == nil {
		return errNotFetch
	}
	return nil
}

func appendRequest(dst []byte, r *Request) []byte {
	dst = append(dst, `{"method":`...)
	dst = validate.AppendString(dst, r.Method)
	dst = append(dst, `,"url":`...)
	dst = validate.AppendString(dst, r.URL)
	dst = append(dst, `,"headers":[`...)
	for i, h := range r.Header {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '[')
		dst = validate.AppendString(dst, h[0])
		dst = append(dst, ',')
		dst = validate.AppendString(dst, h[1])
		dst = append(dst, ']')
	}
	return append(dst, `]}`...)
}
