package config_test

import (
	"fmt"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

func ExampleLoad() {
	c, _, err := config.Load("testdata/app.jsonc")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Name, c.Main, c.Store)
	for _, k := range c.Consumers {
		fmt.Println(k.Queue, k.MaxBatchSize, *k.MaxBatchTimeout, k.DeadLetter)
	}
	warnings, err := config.Together(c)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, w := range warnings {
		fmt.Println(w)
	}
	// Output:
	// page-service testdata/app.wasm memory:
	// page-render 10 500ms page-dlq
	// testdata/app.jsonc:8: queues.consumers[0].dead_letter_queue: "page-dlq" has no consumer in any file; its messages wait until they are too old
}
