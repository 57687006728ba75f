//go:build unix

package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// childCrash sends and consumes until it is killed, and says on stdout what it
// is about to do and what has been done, a line each, written at once:
//
//	try N BODY…   it sends these N messages     sent BODY…   it has
//	got BODY ATTEMPTS  it received one
//	end BODY…     it acks these                 done BODY…   it has
func childCrash(args []string) error {
	a, err := sqlite.Open(context.Background(), args[0])
	if err != nil {
		return err
	}
	name := args[1]
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() { crashSender(a, name+"-"+strconv.Itoa(i)) })
		wg.Go(func() { crashConsumer(a) })
	}
	wg.Wait()
	return nil
}

func say(format string, args ...any) {
	_, _ = os.Stdout.WriteString(fmt.Sprintf(format+"\n", args...))
}

func crashSender(a *sqlite.Adapter, name string) {
	for n := 0; ; n++ {
		var ms []adapter.Message
		var names []string
		for i := range 1 + rand.IntN(4)*rand.IntN(20) {
			body := fmt.Sprintf("%s-%d-%d", name, n, i)
			names = append(names, body)
			if rand.IntN(50) == 0 {
				body += " " + strings.Repeat("x", 2000)
			}
			ms = append(ms, adapter.Message{Type: adapter.Text, Body: []byte(body)})
		}
		list := strings.Join(names, " ")
		say("try %d %s", len(names), list)
		if err := a.Send(context.Background(), "q", ms...); err != nil {
			say("error %v", err)
			return
		}
		say("sent %s", list)
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
	}
}

// crashLease is short, so that the next process gets what this one held.
const crashLease = 250 * time.Millisecond

func crashConsumer(a *sqlite.Adapter) {
	for {
		ds, err := a.Receive(context.Background(), "q", adapter.ReceiveOptions{Max: 1 + rand.IntN(30), Wait: time.Second, Lease: crashLease})
		if err != nil {
			say("error %v", err)
			return
		}
		var s []adapter.Settlement
		var names []string
		for _, d := range ds {
			name, _, _ := strings.Cut(string(d.Body), " ")
			say("got %s %d", name, d.Attempts)
			if rand.IntN(4) == 0 {
				s = append(s, adapter.Settlement{Lease: d.Lease, Do: adapter.Retry})
				continue
			}
			names = append(names, name)
			s = append(s, adapter.Settlement{Lease: d.Lease})
		}
		list := strings.Join(names, " ")
		say("end %s", list)
		if a.Settle(context.Background(), "q", s...) == nil { // a lease may have been lost
			say("done %s", list)
		}
	}
}

// ledger is what all children said.
type ledger struct {
	tries [][]string
	sent  map[string]bool
	ended map[string]bool // an ack was begun
	done  map[string]bool
	got   map[string]int // deliveries
}

func (l *ledger) read(t *testing.T, line string) {
	f := strings.Fields(line)
	if len(f) == 0 {
		return
	}
	switch f[0] {
	case "try":
		l.tries = append(l.tries, f[2:])
	case "sent":
		for _, b := range f[1:] {
			l.sent[b] = true
		}
	case "got":
		n, err := strconv.Atoi(f[2])
		if err != nil {
			t.Error(err)
		}
		l.delivered(t, f[1], n)
	case "end":
		for _, b := range f[1:] {
			l.ended[b] = true
		}
	case "done":
		for _, b := range f[1:] {
			l.done[b] = true
		}
	default:
		t.Errorf("the child says: %s", line)
	}
}

// delivered checks a delivery against what is known of its message. Attempts
// are stored before a delivery is made, so no two can have the same number.
func (l *ledger) delivered(t *testing.T, body string, attempts int) {
	if l.done[body] {
		t.Errorf("%s was delivered after it was acked", body)
	}
	if attempts <= l.got[body] {
		t.Errorf("%s: delivery %d after delivery %d", body, attempts, l.got[body])
	}
	l.got[body] = attempts
}

// A process is killed again and again while it sends and consumes: nothing
// acknowledged is lost, nothing settled returns, a send is there whole or not
// at all, attempts go on counting, and the file agrees with itself.
func TestKilledProcesses(t *testing.T) {
	t.Parallel()
	rounds := 20
	if testing.Short() {
		rounds = 5
	}
	for _, query := range []string{"?synchronous=full", "?synchronous=normal"} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "queues.db")
			l := &ledger{sent: map[string]bool{}, ended: map[string]bool{}, done: map[string]bool{}, got: map[string]int{}}
			for round := range rounds {
				killed(t, l, "sqlite:"+path+query, fmt.Sprint("r", round))
				if err := sqlite.Verify(path); err != nil {
					t.Fatal(err)
				}
			}
			settleLedger(t, l, "sqlite:"+path+query)
			t.Logf("%d messages sent, %d delivered, %d acked", len(l.sent), len(l.got), len(l.done))
		})
	}
}

// killed runs a child for a random time after its first word.
func killed(t *testing.T, l *ledger, at, name string) {
	cmd := child(t, "crash", at, name)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReaderSize(out, 1<<20)
	var kill *time.Timer
	for {
		line, err := lines.ReadString('\n')
		if kill == nil {
			kill = time.AfterFunc(time.Duration(rand.IntN(150_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		l.read(t, strings.TrimSuffix(line, "\n"))
	}
	_ = cmd.Wait() // it was killed
}

// settleLedger takes out what is left and compares.
func settleLedger(t *testing.T, l *ledger, at string) {
	a := openAt(t, at)
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	rest := map[string]bool{}
	for {
		ds, err := a.Receive(t.Context(), "q", adapter.ReceiveOptions{Max: 100, Wait: 3 * crashLease, Lease: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		if len(ds) == 0 {
			break
		}
		for _, d := range ds {
			name, _, _ := strings.Cut(string(d.Body), " ")
			l.delivered(t, name, d.Attempts)
			rest[name] = true
		}
	}
	for b := range l.sent {
		if !rest[b] && !l.ended[b] {
			t.Errorf("%s was sent and is lost", b)
		}
	}
	for _, try := range l.tries {
		there := 0
		for _, b := range try {
			if l.got[b] > 0 {
				there++
			}
		}
		if there != 0 && there != len(try) {
			t.Errorf("of the %d messages of one send %d are there: %v", len(try), there, try)
		}
	}
}
