package guesttest_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

const probe = "../../testdata/guests/probe.wasm"

// What a guest sends is recorded, and a refusal can be injected.
func TestSendsAndRefusals(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, probe, "PAGE_QUEUE", "OTHER")
	const script = "send PAGE_QUEUE 30 3\n 1 batch OTHER 24\n[{\"body\":1},{\"body\":2}]\n"
	if _, err := g.Fetch("POST", "http://host/", script); err != nil {
		t.Fatal(err)
	}
	g.Refuse("Queue is full")
	res, err := g.Fetch("POST", "http://host/", script)
	if err != nil || !strings.Contains(string(res.Body), "send 1 队列发送失败：Queue is full") {
		t.Errorf("refused: %s, %v", res.Body, err)
	}
	g.Refuse("")
	g.Break(errors.New("unplugged"))
	res, err = g.Fetch("POST", "http://host/", script)
	if err != nil || !strings.Contains(string(res.Body), "queue unavailable") {
		t.Errorf("broken: %s, %v", res.Body, err)
	}
	want := []guesttest.Send{
		{Binding: "PAGE_QUEUE", Messages: []guesttest.Message{{Body: "1", Delay: 30 * time.Second}}},
		{Binding: "OTHER", Messages: []guesttest.Message{{Body: "1"}, {Body: "2"}}},
	}
	if d := cmp.Diff(want, g.Sends()); d != "" {
		t.Error(d)
	}
}

// What a guest does with a batch is there to look at.
func TestDeliver(t *testing.T) {
	t.Parallel()
	g := guesttest.LoadConfig(t, probe, guest.Config{Env: map[string]string{"PROBE_QUEUE": "ack 2\nretry 0 45\nprint 2 1 done"}})
	d := g.DeliverRaw("q", adapter.Delivery{Attempts: 3, Body: []byte("1")}, adapter.Delivery{Body: []byte("2")}, adapter.Delivery{Body: []byte("3")})
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	if diff := cmp.Diff([]int{2}, d.Acked()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0}, d.Retried()); diff != "" {
		t.Error(diff)
	}
	if d.Delay(0) != 45*time.Second || d.Batch.Deliveries()[0].Attempts != 3 || d.Batch.Deliveries()[2].ID != strings.Repeat("0", 31)+"3" {
		t.Errorf("delay %v, deliveries %v", d.Delay(0), d.Batch.Deliveries())
	}
	if g.Stdout() != "ack 0\nretry 0\nprint 0\n" || g.Stderr() != "done\n" {
		t.Errorf("printed %q and %q", g.Stdout(), g.Stderr())
	}
	if d := guesttest.LoadConfig(t, probe, guest.Config{Env: map[string]string{"PROBE_QUEUE": "trap"}}).Deliver("q", "1"); d.Err == nil {
		t.Error("a trap ended well")
	}
}
