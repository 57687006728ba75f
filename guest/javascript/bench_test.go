package javascript_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
	"github.com/wazqueue/wazqueue/hostfn"
)

// BenchmarkBatch is one event with a batch of ten messages: each acked; its body
// read too; and all that the sample program does, with a line for each message.
func BenchmarkBatch(b *testing.B) {
	body := []byte(`{"kind":"page","url":"/release/x","version":"v8","refresh":true}`)
	var ds []adapter.Delivery
	for range 10 {
		ds = append(ds, adapter.Delivery{ID: strings.Repeat("a", 32), Attempts: 1, Body: body})
	}
	event := func() *hostfn.Event { return &hostfn.Event{Kind: hostfn.KindQueue, Batch: batch.New("q", ds)} }
	bench(b, "ack", `export function queue(batch) { for (const message of batch.messages) message.ack() }`, event)
	bench(b, "body", `export function queue(batch) { for (const message of batch.messages) if (message.body.version === "v8") message.ack() }`, event)
	bench(b, "async", `export async function queue(batch) { for (const message of batch.messages) { await message.body; message.ack() } }`, event)
	bench(b, "sample", sample(b), event)
}

// BenchmarkFetch is one request: answered with a text; with JSON of its URL and
// body; and one that the sample program puts into a queue.
func BenchmarkFetch(b *testing.B) {
	request := &hostfn.Request{Method: "POST", URL: "http://host/render", Header: [][2]string{{"host", "host"}}, Body: []byte(`{"kind":"page","url":"/release/x","version":"v8"}`)}
	grants := hostfn.Grants{"PAGE_QUEUE": {Queue: "q", Sender: nobody{}}}
	event := func() *hostfn.Event { return &hostfn.Event{Kind: hostfn.KindFetch, Request: request, Grants: grants} }
	bench(b, "text", `export const fetch = () => new Response("hello")`, event)
	bench(b, "json", `export const fetch = async (request) => Response.json({url: request.url, body: await request.json()})`, event)
	bench(b, "send", `export async function fetch(request, env) { await env.PAGE_QUEUE.send({kind: "page", url: "/release/x", version: "v8"}); return new Response("queued") }`, event)
	bench(b, "sample", sample(b), event)
}

func bench(b *testing.B, name, source string, event func() *hostfn.Event) {
	for _, reuse := range []guest.Reuse{guest.New, guest.Rewind} {
		b.Run(name+"/"+reuse.String(), func(b *testing.B) {
			p, err := javascript.Load(b.Context(), []byte(source), "app.js", guest.Config{Instance: reuse, Cache: compilations()})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Close(b.Context())
			b.ReportAllocs()
			for b.Loop() {
				if err := p.Run(b.Context(), event()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func sample(b *testing.B) string {
	source, err := os.ReadFile("../../guest-examples/javascript/page.js")
	if err != nil {
		b.Fatal(err)
	}
	return string(source)
}

// nobody is a queue that takes everything.
type nobody struct{}

func (nobody) Send(context.Context, string, ...adapter.Message) error { return nil }
