package hostfn

// eventKind reads the kind of the event: queue, fetch, or an embedder's.
//
// Result (length). It never throws.
var eventKind = reads("读取入站事件种类", "event_kind", func(ev *Event) (string, error) {
	return ev.Kind, nil
})
