package wazqueue

import "unsafe"

// The host functions under their own names. Each has an ASCII name too, in the
// module wazqueue, with the same parameters: //go:wasmimport wazqueue send.

//go:wasmimport 消息队列 发送队列消息
func hostSend(binding, body string, delay int64) uint32

//go:wasmimport 消息队列 批量发送队列消息
func hostSendBatch(binding, messages string) uint32

//go:wasmimport 消息队列 读取队列批次
func hostReadBatch(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport 消息队列 确认队列消息
func hostAck(index int64) uint32

//go:wasmimport 消息队列 重试队列消息
func hostRetry(index, delay int64) uint32

//go:wasmimport 网页入站 读取入站事件种类
func hostEventKind(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport 网页入站 读取入站请求
func hostReadRequest(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport 网页入站 读取入站正文
func hostReadBody(buf unsafe.Pointer, limit uint32) int32

//go:wasmimport 网页入站 答复入站请求
func hostRespond(status int32, headers, body string) uint32

//go:wasmimport 豫言异常 读取异常消息
func hostException(buf unsafe.Pointer, limit uint32) int32

// check turns a status into an error.
func check(status uint32) error {
	if status == 0 {
		return nil
	}
	return exception()
}

func exception() Exception {
	text, _ := fill(hostException)
	return Exception(text)
}

// read turns what a length function says into bytes or an error.
func read(f func(buf unsafe.Pointer, limit uint32) int32) ([]byte, error) {
	value, ok := fill(f)
	if !ok {
		return nil, exception()
	}
	return value, nil
}

// fill calls a function that writes into the caller's buffer: once with a
// buffer that is mostly large enough, again when the value turns out longer.
func fill(f func(buf unsafe.Pointer, limit uint32) int32) (value []byte, ok bool) {
	buf := make([]byte, 1024)
	for {
		n := f(unsafe.Pointer(unsafe.SliceData(buf)), uint32(len(buf)))
		if n < 0 {
			return nil, false
		}
		if int(n) <= len(buf) {
			return buf[:n], true
		}
		buf = make([]byte, n)
	}
}
