//go:build unix

package sqlite_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

const hammerMessages = 3000

// childHammer sends its share and consumes with several workers until nothing
// comes any more. It prints the bodies it got.
func childHammer(args []string) error {
	a, err := sqlite.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	got, err := hammer(a, args[1])
	if err != nil {
		return err
	}
	fmt.Println(strings.Join(got, "\n"))
	return a.Close()
}

func hammer(a *sqlite.Adapter, name string) (got []string, err error) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	note := func(e error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil {
			err = e
		}
	}
	wg.Go(func() {
		for n := 0; n < hammerMessages; {
			var ms []adapter.Message
			for range min(1+n%40, hammerMessages-n) {
				ms = append(ms, adapter.Message{Type: adapter.Text, Body: []byte(name + "-" + strconv.Itoa(n))})
				n++
			}
			if e := a.Send(context.Background(), "q", ms...); e != nil {
				note(e)
				return
			}
		}
	})
	for i := range 4 {
		wg.Go(func() {
			for {
				ds, e := a.Receive(context.Background(), "q", adapter.ReceiveOptions{Max: 1 + i*7, Wait: 2 * time.Second, Lease: time.Hour})
				if e != nil || len(ds) == 0 {
					note(e)
					return
				}
				var s []adapter.Settlement
				for j, d := range ds {
					do := adapter.Ack
					if d.Attempts == 1 && j%5 == 0 {
						do = adapter.Retry
					} else {
						mu.Lock()
						got = append(got, string(d.Body))
						mu.Unlock()
					}
					s = append(s, adapter.Settlement{Lease: d.Lease, Do: do})
				}
				note(a.Settle(context.Background(), "q", s...)) // leases are long: none may be lost
			}
		})
	}
	wg.Wait()
	return got, err
}

// Three processes send to and consume from one file. No message has two
// holders, none is lost, and none of the processes starves.
func TestProcessesShareAFile(t *testing.T) {
	t.Parallel()
	at := address(t, "?synchronous=normal")
	outs := make([][]string, 3)
	var wg sync.WaitGroup
	for i := range outs {
		if i == 0 {
			a := openAt(t, at)
			wg.Go(func() {
				got, err := hammer(a, "p0")
				if err != nil {
					t.Error(err)
				}
				outs[0] = got
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			})
			continue
		}
		cmd := child(t, "hammer", at, fmt.Sprint("p", i))
		wg.Go(func() {
			out, err := cmd.Output()
			if err != nil {
				t.Error(err)
			}
			outs[i] = strings.Fields(string(out))
		})
	}
	wg.Wait()
	seen := map[string]int{}
	for i, out := range outs {
		t.Logf("process %d handled %d messages", i, len(out))
		if len(out) == 0 {
			t.Errorf("process %d starved", i)
		}
		for _, b := range out {
			seen[b]++
		}
	}
	for b, n := range seen {
		if n != 1 {
			t.Errorf("%s was handled %d times", b, n)
		}
	}
	if want := len(outs) * hammerMessages; len(seen) != want {
		t.Errorf("%d messages were handled, want %d", len(seen), want)
	}
	if err := sqlite.Verify(strings.TrimPrefix(strings.Split(at, "?")[0], "sqlite:")); err != nil {
		t.Error(err)
	}
}
