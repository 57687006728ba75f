package hostfn_test

import (
	"context"
	"fmt"
	"os"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/hostfn"
)

// printer is a queue that prints what is sent to it. Any type with this method
// is one, an adapter.Adapter too.
type printer struct{}

func (printer) Send(_ context.Context, queue string, msgs ...adapter.Message) error {
	for _, m := range msgs {
		fmt.Printf("%s gets %s\n", queue, m.Body)
	}
	return nil
}

// A runtime of one's own, with the host modules in it: a request reaches a
// guest, which sends a message; a batch reaches it, which it acks.
func Example() {
	ctx := context.Background()
	runtime := wazero.NewRuntime(ctx)
	defer runtime.Close(ctx)
	if err := hostfn.Instantiate(ctx, runtime); err != nil {
		panic(err)
	}
	wasm, err := os.ReadFile("../testdata/guests/ascii.wasm")
	if err != nil {
		panic(err)
	}
	guest, err := runtime.Instantiate(ctx, wasm)
	if err != nil {
		panic(err)
	}

	fetch := &hostfn.Event{
		Kind:    hostfn.KindFetch,
		Grants:  hostfn.Grants{"PAGE_QUEUE": {Queue: "pages", Sender: printer{}}},
		Request: &hostfn.Request{Method: "GET", URL: "http://localhost/"},
	}
	if _, err := guest.ExportedFunction("fetch").Call(hostfn.With(ctx, fetch)); err != nil {
		panic(err)
	}
	fmt.Println("answered", fetch.Response.Status)

	queue := &hostfn.Event{
		Kind:  hostfn.KindQueue,
		Batch: batch.New("pages", []adapter.Delivery{{ID: "m1", Attempts: 1, Body: []byte(`{"ascii":true}`)}}),
	}
	if _, err := guest.ExportedFunction("queue").Call(hostfn.With(ctx, queue)); err != nil {
		panic(err)
	}
	fmt.Println("message 0:", queue.Batch.Mark(0).Verb)
	// Output:
	// pages gets {"ascii":true}
	// answered 202
	// message 0: ack
}
