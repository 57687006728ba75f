package javascript

import (
	"bytes"
	"context"
)

// request is the event's request without its body.
func (v *vm) request(ctx context.Context) value {
	ptr, n, err := v.fetch(ctx, "read_request")
	if err != nil {
		return v.notRead(err)
	}
	defer v.release(ptr)
	return v.parse(ptr, n)
}

// answer responds to the request. Arguments are the status, the number of texts
// that the headers have, those texts with zeros in between, and the body.
func (v *vm) answer(ctx context.Context) value {
	code, hasCode := v.integer(0)
	count, hasCount := v.integer(1)
	ptr, n, hasHeader := v.text(2)
	body, size, hasBody := v.text(3)
	if !hasCode || !hasCount || !hasHeader || !hasBody {
		return exception
	}
	header := appendHeader(v.header[:0], v.view(ptr, n), int(count))
	v.header = header
	to := v.put(header)
	if to == 0 {
		return exception
	}
	defer v.release(to)
	v.room = [5]uint64{uint64(uint32(code)), uint64(to), uint64(len(header)), uint64(body), uint64(size)}
	return number(v.host(ctx, "respond"))
}

// appendHeader appends the JSON text that respond takes, or one that it refuses
// where a name or a value has a zero.
func appendHeader(dst, list []byte, count int) []byte {
	if count == 0 {
		return append(dst, "[]"...)
	}
	if bytes.Count(list, []byte{0}) != count-1 {
		return append(dst, "0"...)
	}
	before := "[["
	for i := range count {
		text, rest, _ := bytes.Cut(list, []byte{0})
		list = rest
		dst = appendQuoted(append(dst, before...), text)
		before = ","
		if i%2 == 1 {
			before = "],["
		}
	}
	return append(dst, "]]"...)
}

// appendQuoted appends a JSON string. Bytes that are not UTF-8 stay: the text is
// refused for them.
func appendQuoted(dst, text []byte) []byte {
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"', c == '\\':
			dst = append(dst, '\\', c)
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', "0123456789abcdef"[c>>4], "0123456789abcdef"[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}
