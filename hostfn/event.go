package hostfn

import (
	"context"
	"log/slog"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/bridge"
)

// The event kinds the interface knows. An embedder may use others.
const (
	KindQueue = "queue"
	KindFetch = "fetch"
)

// Event is one call of a guest and everything its host functions act on. It is
// used once, by one goroutine at a time: that which calls the guest.
type Event struct {
	// Kind is what event_kind returns; it decides which functions may be used.
	Kind string
	// Grants are the bindings the guest may send to. Defaults to none.
	Grants Grants
	// Batch is the batch of a queue event; ack and retry leave their marks on it.
	Batch *batch.Batch
	// Request is the request of a fetch event.
	Request *Request
	// Response is what the guest answered, nil while it has not.
	Response *Response
	// Log gets the cause of a send that failed, of which the guest learns
	// nothing. Defaults to slog.Default().
	Log *slog.Logger

	exception   string // of the last call that threw
	batchText   []byte // what read_batch returns, once it was asked
	requestText []byte // what read_request returns, once it was asked
}

// Grants are the bindings a guest is permitted to send to, by name. A name that
// is not a key is not permitted; a Binding without a Sender is permitted but
// not configured. Both abort the event.
type Grants map[string]Binding

// Binding is the queue behind a binding's name.
type Binding struct {
	Queue  string
	Sender Sender
}

// Sender takes a producer's messages, all or none. An adapter.Adapter is one.
// It copies the bodies before it returns. A Refused error's reason reaches the
// guest; of any other the guest learns only that the queue is unavailable.
type Sender interface {
	Send(ctx context.Context, queue string, msgs ...adapter.Message) error
}

// Request is the request of a fetch event.
type Request struct {
	Method string
	URL    string      // absolute
	Header [][2]string // names in lower case, host among them
	Body   []byte
}

// Response is a guest's answer to a request.
type Response struct {
	Status int // 200 to 599
	Header [][2]string
	Body   []byte
}

// Abort is what a call into a guest returns, wrapped, when a host function
// ended the event.
type Abort = bridge.Abort

type eventKey struct{}

// With returns a context that carries ev. A guest's function called with it may
// use the host functions; without an event they abort.
func With(ctx context.Context, ev *Event) context.Context {
	return &Context{ctx, ev}
}

// Context is a context that carries an event, or that carries none whatever the
// one inside does. It is there to be part of a larger one; With makes one alone.
type Context struct {
	context.Context
	Event *Event
}

// Value implements context.Context.
func (c *Context) Value(key any) any {
	if key == (eventKey{}) {
		return c.Event
	}
	return c.Context.Value(key)
}

func eventOf(ctx context.Context) *Event {
	ev, _ := ctx.Value(eventKey{}).(*Event)
	return ev
}

func (ev *Event) log() *slog.Logger {
	if ev.Log == nil {
		return slog.Default()
	}
	return ev.Log
}
