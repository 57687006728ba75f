package guesttest

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/hostfn"
)

// run handles ev and returns how it ended. The context is not the test's, which
// could not be used in a synctest bubble of it.
func (g *Guest) run(ev *hostfn.Event) error {
	ev.Grants = g.Grants
	return g.Program.Run(context.Background(), ev)
}

// Fetch makes one request. As in the runtime, header names are lower case and
// host is among them. A failed event is the error; a guest that gave no answer
// is a 204.
func (g *Guest) Fetch(method, address, body string, header ...[2]string) (*hostfn.Response, error) {
	ev := &hostfn.Event{
		Kind:    hostfn.KindFetch,
		Request: &hostfn.Request{Method: method, URL: address, Header: withHost(address, header), Body: []byte(body)},
	}
	if err := g.run(ev); err != nil {
		return nil, err
	}
	if ev.Response == nil {
		return &hostfn.Response{Status: 204}, nil
	}
	return ev.Response, nil
}

// withHost lowers names, and puts the address's host first if it is not there.
func withHost(address string, header [][2]string) [][2]string {
	var all [][2]string
	named := false
	for _, h := range header {
		name := strings.ToLower(h[0])
		named = named || name == "host"
		all = append(all, [2]string{name, h[1]})
	}
	if u, err := url.Parse(address); err == nil && !named {
		all = slices.Insert(all, 0, [2]string{"host", u.Host})
	}
	return all
}

// Deliver hands the guest one batch of JSON bodies, each on its first attempt,
// and returns what it did with them.
func (g *Guest) Deliver(queue string, bodies ...string) *Delivered {
	ds := make([]adapter.Delivery, len(bodies))
	for i, body := range bodies {
		ds[i] = adapter.Delivery{Attempts: 1, Body: []byte(body)}
	}
	return g.DeliverRaw(queue, ds...)
}

// DeliverRaw is Deliver for messages with attempts, content types or times of
// their own. An ID or Enqueued that is empty gets a made-up one.
func (g *Guest) DeliverRaw(queue string, ds ...adapter.Delivery) *Delivered {
	ds = slices.Clone(ds)
	for i := range ds {
		if ds[i].ID == "" {
			ds[i].ID = fmt.Sprintf("%032x", i+1)
		}
		if ds[i].Attempts == 0 {
			ds[i].Attempts = 1
		}
		if ds[i].Enqueued.IsZero() {
			ds[i].Enqueued = time.UnixMilli(1_700_000_000_000)
		}
	}
	b := batch.New(queue, ds)
	err := g.run(&hostfn.Event{Kind: hostfn.KindQueue, Batch: b})
	return &Delivered{Batch: b, Err: err}
}

// Delivered is a batch after its event.
type Delivered struct {
	// Batch has the marks; its Outcome gives the settlements.
	Batch *batch.Batch
	// Err says how the event failed, nil where it ended well.
	Err error
}

// Acked lists the indexes of the messages the guest acked.
func (d *Delivered) Acked() []int { return d.marked(batch.Acked) }

// Retried lists the indexes of the messages the guest asked for again.
func (d *Delivered) Retried() []int { return d.marked(batch.Retried) }

// Delay is the delay of the retry of message i, 0 for the configured one.
func (d *Delivered) Delay(i int) time.Duration { return d.Batch.Mark(i).Delay }

func (d *Delivered) marked(v batch.Verb) []int {
	var marked []int
	for i := range d.Batch.Len() {
		if d.Batch.Mark(i).Verb == v {
			marked = append(marked, i)
		}
	}
	return marked
}
