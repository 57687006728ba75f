package hostfn

// readBody reads the raw bytes of a fetch event's request body.
//
// Result (length). It throws outside a fetch event.
var readBody = reads("读取入站正文", "read_body", func(ev *Event) ([]byte, error) {
	if err := ev.inFetchEvent(); err != nil {
		return nil, err
	}
	return ev.Request.Body, nil
})
