package consumer_test

import (
	"context"
	"fmt"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/consumer"
)

func ExampleRun() {
	ctx, stop := context.WithCancel(context.Background())
	queues := memory.Open()
	defer queues.Close()
	if err := queues.Send(ctx, "mail", adapter.Message{Body: []byte(`"hello"`)}, adapter.Message{Body: []byte(`"bye"`)}); err != nil {
		fmt.Println(err)
	}
	err := consumer.Run(ctx, consumer.Config{
		Adapter:         queues,
		Queue:           "mail",
		MaxBatchSize:    2,
		DeadLetter:      "undeliverable",
		MaxBatchTimeout: new(time.Second),
		Handler: func(_ context.Context, b *batch.Batch) error {
			for i, d := range b.Deliveries() {
				fmt.Printf("message %d, attempt %d: %s\n", i, d.Attempts, d.Body)
			}
			stop() // as a signal would; this event may end
			return nil
		},
	})
	fmt.Println("stopped:", err)
	// Output:
	// message 0, attempt 1: "hello"
	// message 1, attempt 1: "bye"
	// stopped: <nil>
}

func ExampleCheck() {
	err := consumer.Check(
		consumer.Config{Queue: "pages", DeadLetter: "failed-pages"},
		consumer.Config{Queue: "failed-pages", DeadLetter: "pages"},
	)
	fmt.Println(err)
	// Output:
	// dead letters would go round for ever: "pages" → "failed-pages" → "pages"
}
