package conformance

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// The process is killed at random moments while it sends and consumes, and
// started again on the same file. Nothing acknowledged is lost, nothing settled
// comes back, and in the end every message was delivered or waits.
func TestKill(t *testing.T) {
	t.Parallel()
	const rounds = 20
	k := newKillRig(t)
	for round := range rounds {
		k.start()
		var senders sync.WaitGroup
		for range 3 {
			senders.Go(k.sendUntilGone)
		}
		time.Sleep(time.Duration(50+rand.IntN(400)) * time.Millisecond)
		k.kill()
		senders.Wait()
		k.settled(round)
	}
	k.start() // the rest, in peace
	deadline := time.Now().Add(time.Minute)
	for k.waiting() > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("%d messages still wait", k.waiting())
		}
		time.Sleep(100 * time.Millisecond)
	}
	k.kill()
	k.settled(rounds)

	k.mu.Lock()
	defer k.mu.Unlock()
	again := 0
	for body := range k.acknowledged {
		n := len(k.delivered[body])
		if n == 0 {
			t.Errorf("message %d was acknowledged and is lost", body)
		}
		again += max(n-1, 0)
	}
	if len(k.acknowledged) < 20*rounds {
		t.Errorf("only %d messages were acknowledged: this shows nothing", len(k.acknowledged))
	}
	t.Logf("%d kills, %d messages acknowledged, %d sends cut off, %d deliveries repeated", rounds, len(k.acknowledged), k.cutOff, again)
}

type killRig struct {
	t      *testing.T
	binary string
	dir    string
	cmd    *exec.Cmd
	url    string
	output sync.WaitGroup

	mu           sync.Mutex
	next         int
	cutOff       int
	acknowledged map[int]bool
	delivered    map[int][]string // by body, the ids and attempts it came with
	gone         map[string]int   // ids that were settled, and the round by which they were
	known        map[string]bool  // ids that were seen delivered or waiting
}

func newKillRig(t *testing.T) *killRig {
	t.Helper()
	k := &killRig{t: t, dir: t.TempDir(), acknowledged: map[int]bool{}, delivered: map[int][]string{}, gone: map[string]int{}, known: map[string]bool{}}
	k.binary = filepath.Join(k.dir, "wazqueue")
	if out, err := exec.Command("go", "build", "-o", k.binary, module+"cmd/wazqueue").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	probe, err := filepath.Abs("../../testdata/guests/probe.wasm")
	if err != nil {
		t.Fatal(err)
	}
	config := fmt.Sprintf(`{"name": "kill", "main": %q,
		"queues": {"producers": [{"binding": "PAGE_QUEUE", "queue": %q}],
			"consumers": [{"queue": %q, "max_batch_size": 7, "max_batch_timeout": 0.01, "max_retries": 100, "visibility_timeout_ms": 1000}]},
		"wazqueue": {"store": "sqlite:q.db", "env": {"PROBE_QUEUE": "sleep 3\nread"}}}`, probe, queue, queue)
	if err := os.WriteFile(filepath.Join(k.dir, "app.jsonc"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.kill)
	return k
}

var listening = regexp.MustCompile(`msg=listening url=(\S+)`)

// start starts the process and waits until it listens.
func (k *killRig) start() {
	k.t.Helper()
	k.cmd = exec.Command(k.binary, "run", "-c", filepath.Join(k.dir, "app.jsonc"), "--listen", "127.0.0.1:0")
	stdout, err := k.cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	stderr, err := k.cmd.StderrPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := k.cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	url := make(chan string, 1)
	k.output.Go(func() { k.readEvents(stdout) })
	k.output.Go(func() {
		defer close(url)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			if m := listening.FindStringSubmatch(lines.Text()); m != nil {
				url <- m[1]
			} else if strings.Contains(lines.Text(), "level=ERROR") {
				k.t.Error(lines.Text())
			}
		}
	})
	if k.url = <-url; k.url == "" {
		k.t.Fatal("the process did not start")
	}
}

// kill ends the process as a crash does, and reads what it printed before.
func (k *killRig) kill() {
	if k.cmd == nil || k.cmd.ProcessState != nil {
		return
	}
	_ = k.cmd.Process.Kill()
	k.output.Wait()
	_ = k.cmd.Wait()
}

// sendUntilGone sends numbers, one or three a request, as long as the process
// answers, and notes those that were acknowledged.
func (k *killRig) sendUntilGone() {
	for {
		k.mu.Lock()
		first := k.next
		k.next += 3
		k.mu.Unlock()
		script, sent := raw("send PAGE_QUEUE 0", fmt.Sprint(first)), []int{first}
		if first%2 == 0 {
			script = raw("batch PAGE_QUEUE", fmt.Sprintf(`[{"body":%d},{"body":%d},{"body":%d}]`, first, first+1, first+2))
			sent = []int{first, first + 1, first + 2}
		}
		res, err := http.Post(k.url, "", strings.NewReader(script))
		var answer []byte
		if err == nil {
			answer, err = io.ReadAll(res.Body)
			res.Body.Close()
		}
		k.mu.Lock()
		if err != nil {
			k.cutOff++
			k.mu.Unlock()
			return
		}
		if !strings.HasSuffix(string(answer), " 0\n") {
			k.t.Errorf("a send was answered %d %q", res.StatusCode, answer)
		}
		for _, n := range sent {
			k.acknowledged[n] = true
		}
		k.mu.Unlock()
	}
}

// readEvents notes the batches that the guest printed.
func (k *killRig) readEvents(out io.Reader) {
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		_, text, ok := strings.Cut(lines.Text(), "=")
		if !ok {
			continue
		}
		var batch struct {
			Messages []struct {
				ID       string
				Attempts int
				Body     int
			}
		}
		if err := json.Unmarshal([]byte(text), &batch); err != nil {
			continue // the line was cut by the kill
		}
		k.mu.Lock()
		for _, m := range batch.Messages {
			if round, ok := k.gone[m.ID]; ok {
				k.t.Errorf("message %s was settled by round %d and came back", m.ID, round)
			}
			k.known[m.ID] = true
			k.delivered[m.Body] = append(k.delivered[m.Body], fmt.Sprint(m.ID, " ", m.Attempts))
		}
		k.mu.Unlock()
	}
}

// settled looks into the file for the ids that are known and not there.
func (k *killRig) settled(round int) {
	k.t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, "sqlite:"+filepath.Join(k.dir, "q.db"))
	if err != nil {
		k.t.Fatal(err)
	}
	defer store.Close()
	waiting, err := store.Peek(ctx, queue, 1_000_000)
	if err != nil {
		k.t.Fatal(err)
	}
	there := map[string]bool{}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, d := range waiting {
		there[d.ID], k.known[d.ID] = true, true
	}
	for id := range k.known {
		if _, ok := k.gone[id]; !ok && !there[id] {
			k.gone[id] = round
		}
	}
}

// waiting counts the messages in the file beside the running process.
func (k *killRig) waiting() int {
	k.t.Helper()
	ctx := context.Background()
	store, err := sqlite.Open(ctx, "sqlite:"+filepath.Join(k.dir, "q.db"))
	if err != nil {
		k.t.Fatal(err)
	}
	defer store.Close()
	s, err := store.Stats(ctx, queue)
	if err != nil {
		k.t.Fatal(err)
	}
	return int(s.Ready + s.Delayed + s.Leased)
}
