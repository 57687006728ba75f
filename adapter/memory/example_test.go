package memory_test

import (
	"context"
	"fmt"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

func Example() {
	ctx := context.Background()
	queues := memory.Open()
	defer queues.Close()

	if err := queues.Send(ctx, "page-render", adapter.Message{Body: []byte(`{"url":"/release/x"}`)}); err != nil {
		fmt.Println(err)
		return
	}
	deliveries, err := queues.Receive(ctx, "page-render", adapter.ReceiveOptions{Max: 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range deliveries {
		fmt.Printf("attempt %d: %s\n", d.Attempts, d.Body)
		if err := queues.Settle(ctx, "page-render", adapter.Settlement{Lease: d.Lease, Do: adapter.Ack}); err != nil {
			fmt.Println(err)
		}
	}
	// Output: attempt 1: {"url":"/release/x"}
}
