package javascript_test

import (
	"context"
	"fmt"
	"os"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
	"github.com/wazqueue/wazqueue/hostfn"
)

func ExampleLoad() {
	ctx := context.Background()
	const source = `
		export default {
			queue(batch) {
				for (const message of batch.messages) {
					console.log(message.body.url);
					message.retry({ delaySeconds: 30 });
				}
			},
		};`
	program, err := javascript.Load(ctx, []byte(source), "app.js", guest.Config{Stdout: os.Stdout})
	if err != nil {
		panic(err)
	}
	defer program.Close(ctx)

	b := batch.New("page-render", []adapter.Delivery{{ID: "a", Attempts: 1, Body: []byte(`{"url":"/release/x"}`)}})
	if err := program.Run(ctx, &hostfn.Event{Kind: hostfn.KindQueue, Batch: b}); err != nil {
		panic(err)
	}
	fmt.Println(b.Mark(0).Verb, b.Mark(0).Delay)
	// Output:
	// /release/x
	// retry 30s
}

func ExampleInspect() {
	report, err := javascript.Inspect(context.Background(), []byte("export const queue = (batch) => {}"), "app.js", guest.Config{})
	if err != nil {
		panic(err)
	}
	fmt.Println(report.Kinds, report.Instance, report.Why)
	// Output:
	// [queue] rewind [it cannot be told from a new instance]
}
