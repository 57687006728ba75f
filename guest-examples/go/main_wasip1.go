// The command is the page-render service as a guest in Go: it takes jobs over
// HTTP, puts them into a queue, and handles them when the queue hands them back.
package main

import (
	"fmt"
	"os"

	"github.com/wazqueue/wazqueue/guest-examples/go/page"
	"github.com/wazqueue/wazqueue/guest-examples/go/wazqueue"
)

// main is never called: -buildmode=c-shared makes a reactor, whose exports the
// runtime calls.
func main() {}

// The entries have Chinese names here; queue and fetch mean the same.

//go:wasmexport 处理队列批次
func queue() int32 { return failed(handleBatch()) }

//go:wasmexport 处理入站网页请求
func fetch() int32 { return failed(handleRequest()) }

// failed makes an error that nobody handled the event's failure.
func failed(err error) int32 {
	if err == nil {
		return 0
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func handleBatch() error {
	batch, err := wazqueue.ReadBatch()
	if err != nil {
		return err
	}
	for i, m := range batch.Messages {
		v := page.Judge(m)
		switch v.Mark {
		case page.Ack:
			err = wazqueue.Ack(i)
		case page.Retry:
			err = wazqueue.Retry(i, v.Delay)
		}
		if err != nil {
			return err
		}
		fmt.Println(v.Did, m.ID, "attempts", m.Attempts)
	}
	return nil
}

func handleRequest() error {
	request, err := wazqueue.ReadRequest()
	if err != nil {
		return err
	}
	body, err := wazqueue.ReadBody()
	if err != nil {
		return err
	}
	a := page.Route(request, body, page.Queue{Send: wazqueue.Send, SendBatch: wazqueue.SendBatch})
	return wazqueue.Respond(a.Status, [][2]string{{"content-type", a.Type}}, a.Body)
}
