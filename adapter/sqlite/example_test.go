package sqlite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "queues")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()

	ctx := context.Background()
	queues, err := sqlite.Open(ctx, "sqlite:"+filepath.ToSlash(filepath.Join(dir, "queues.db"))+"?synchronous=normal")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = queues.Close() }()

	err = queues.Send(ctx, "mail",
		adapter.Message{Body: []byte(`{"to":"ann"}`)},
		adapter.Message{Body: []byte(`{"to":"bob"}`)})
	if err != nil {
		log.Fatal(err)
	}
	batch, err := queues.Receive(ctx, "mail", adapter.ReceiveOptions{Max: 10})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range batch {
		fmt.Println(d.Attempts, string(d.Body))
	}
	err = queues.Settle(ctx, "mail",
		adapter.Settlement{Lease: batch[0].Lease, Do: adapter.Ack},
		adapter.Settlement{Lease: batch[1].Lease, Do: adapter.Move, To: "mail-dead"})
	if err != nil {
		log.Fatal(err)
	}
	dead, err := queues.Stats(ctx, "mail-dead")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(dead.Ready, "in the dead-letter queue")
	// Output:
	// 1 {"to":"ann"}
	// 1 {"to":"bob"}
	// 1 in the dead-letter queue
}
