package hostfn

// exceptionMessage reads the text of the exception that was thrown last in this
// event, UTF-8, of 0 bytes where none was. It stays until the next throws.
//
// Result (length). It never throws.
var exceptionMessage = reads("读取异常消息", "exception_message", func(ev *Event) (string, error) {
	return ev.exception, nil
})
