package javascript

import (
	"context"
	"slices"

	"github.com/wazqueue/wazqueue/hostfn"
)

// Handle implements guest.Script.
func (v *vm) Handle(ctx context.Context, entry string, ev *hostfn.Event) error {
	v.ctx.Context = ctx
	defer func() { v.ctx.Context = nil }()
	v.rejected = rejections{}
	v.batch.forget()
	v.locate()
	why := v.event(entry, ev)
	switch {
	case v.err != nil:
		return v.err
	case why != "":
		return failed(why)
	}
	return nil
}

// event calls the entry and waits for what it began. If something was thrown
// that nobody caught, it returns what.
func (v *vm) event(entry string, ev *hostfn.Event) (why string) {
	names := v.enter(entry, ev)
	handler := exception
	if !slices.ContainsFunc(names, value.isException) {
		handler = v.apply(v.glue(glueFind), names...)
	}
	if handler.isException() {
		return v.thrown()
	}
	about := undefined
	switch ev.Kind {
	case hostfn.KindQueue:
		about = v.glue(glueBatch)
	case hostfn.KindFetch:
		about = v.glue(glueRequest)
	}
	result, why := v.settle(v.apply(handler, about, v.glue(glueEnv), v.glue(glueContext)))
	if result != undefined && why == "" && v.err == nil {
		_, why = v.settle(v.apply(v.glue(glueFinish), result, boolean(ev.Kind == hostfn.KindFetch)))
	}
	return why
}

// enter is the entry's name, and those of the bindings that the event may use and
// that Boot did not make.
func (v *vm) enter(entry string, ev *hostfn.Event) []value {
	granted := v.granted[:0]
	for name := range ev.Grants {
		if !slices.Contains(v.engine.bindings, name) {
			granted = append(granted, name)
		}
	}
	slices.Sort(granted)
	list := append(v.entering[:0], v.newString([]byte(entry)))
	for _, name := range granted {
		list = append(list, v.newString([]byte(name)))
	}
	v.granted, v.entering = granted, list
	return list
}

// settle runs jobs until there are none, and takes out what a promise has become.
// A value that is none is what it is. If something was thrown that nobody caught,
// why says what.
func (v *vm) settle(x value) (result value, why string) {
	if v.err == nil && x.isException() {
		return undefined, v.thrown()
	}
	if !v.pump() {
		return undefined, v.thrown()
	}
	if x.tag() == tagObject {
		switch int32(v.do(jsPromiseState, uint64(v.context), uint64(x))) {
		case promisePending:
			return undefined, "a promise that is awaited is never settled"
		case promiseFulfilled:
			x = value(v.do(jsPromiseResult, uint64(v.context), uint64(x)))
		case promiseRejected:
			return undefined, v.tell(value(v.do(jsPromiseResult, uint64(v.context), uint64(x))))
		}
	}
	if reason, ok := v.unhandled(); ok && v.err == nil {
		return undefined, "unhandled rejection: " + v.tell(reason)
	}
	return x, ""
}

// The states of a promise; any other object has none.
const (
	promisePending   = 0
	promiseFulfilled = 1
	promiseRejected  = 2
)
