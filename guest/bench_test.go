package guest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// BenchmarkEvent is one event: an instance, an entry that does next to nothing,
// and the instance's end. The light event is an unknown path, answered 404.
func BenchmarkEvent(b *testing.B) {
	for _, language := range []string{"wat", "c", "as", "go"} {
		for _, reuse := range []guest.Reuse{guest.New, guest.Rewind} {
			b.Run(fmt.Sprintf("%s/%s", language, reuse), func(b *testing.B) {
				p, err := guest.Load(b.Context(), module(b, "page-"+language), guest.Config{Instance: reuse})
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close(b.Context())
				request := &hostfn.Request{Method: "GET", URL: "http://host/nothing", Header: [][2]string{{"host", "host"}}}
				b.ReportAllocs()
				for b.Loop() {
					ev := &hostfn.Event{Kind: hostfn.KindFetch, Request: request}
					if err := p.Run(b.Context(), ev); err != nil || ev.Response.Status != 404 {
						b.Fatal(err, ev.Response)
					}
				}
			})
		}
	}
}

// BenchmarkBatch is one event with a batch of ten messages, each rendered and
// acked.
func BenchmarkBatch(b *testing.B) {
	body := []byte(`{"kind":"page","url":"/release/x","version":"v8","refresh":true}`)
	var ds []adapter.Delivery
	for range 10 {
		ds = append(ds, adapter.Delivery{ID: strings.Repeat("a", 32), Attempts: 1, Body: body})
	}
	for _, language := range []string{"wat", "c", "as", "go"} {
		for _, reuse := range []guest.Reuse{guest.New, guest.Rewind} {
			b.Run(fmt.Sprintf("%s/%s", language, reuse), func(b *testing.B) {
				p, err := guest.Load(b.Context(), module(b, "page-"+language), guest.Config{Instance: reuse})
				if err != nil {
					b.Fatal(err)
				}
				defer p.Close(b.Context())
				b.ReportAllocs()
				for b.Loop() {
					if err := p.Run(b.Context(), &hostfn.Event{Kind: hostfn.KindQueue, Batch: batch.New("q", ds)}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
