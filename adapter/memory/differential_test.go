package memory_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

// TestAgainstModel calls the engine and the model with the same random calls
// and wants the same answers, down to the order of messages that became ready
// at one moment.
func TestAgainstModel(t *testing.T) {
	t.Parallel()
	seeds := 8
	if testing.Short() {
		seeds = 3
	}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				d := &differ{T: t, r: rand.New(rand.NewPCG(seed, 1)), a: memory.Open(), m: &model{queues: map[string]*modelQueue{}}}
				for _, q := range queues {
					d.configure(q, adapter.Settings{})
				}
				for range 250 {
					d.step()
					d.m.advance()
					for _, q := range queues {
						d.compare(q)
					}
					if t.Failed() {
						return
					}
				}
			})
		})
	}
}

var queues = []string{"a", "b", "c"}

type differ struct {
	*testing.T
	r    *rand.Rand
	a    *memory.Adapter
	m    *model
	sent int
	held map[string][]adapter.Lease // in the order of their deliveries, lost ones too
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func (d *differ) step() {
	q := pick(d.r, queues...)
	d.m.advance()
	switch d.r.IntN(16) {
	case 0, 1, 2:
		d.send(q, pick(d.r, 1, 1, 2, 7, 100, 130, 300))
	case 3, 4, 5, 6:
		d.receive(q, pick(d.r, 1, 1, 3, 10, 100, 250), pick(d.r, time.Second, 3*time.Second, 10*time.Second))
	case 7, 8, 9, 10:
		d.settle(q)
	case 11:
		d.extend(q)
	case 12:
		s := d.m.queues[q].settings
		if d.r.IntN(2) == 0 {
			s.Retention = pick(d.r, 0, 4*time.Second, 20*time.Second)
		} else {
			s.DeliveryDelay = pick(d.r, 0, time.Second)
		}
		d.configure(q, s)
	case 13:
		d.purge(q)
	default:
		time.Sleep(pick(d.r, 100*time.Microsecond, 300*time.Millisecond, time.Second, 3*time.Second))
	}
}

func (d *differ) send(q string, n int) {
	var ms []adapter.Message
	var xs []*message
	delays := []adapter.Delay{{}, adapter.After(0), adapter.After(time.Second), adapter.After(5 * time.Second)}
	delay := pick(d.r, delays...)
	for range n {
		if d.r.IntN(20) == 0 {
			delay = pick(d.r, delays...)
		}
		d.sent++
		m := adapter.Message{Type: adapter.ContentType(d.r.IntN(3)), Body: fmt.Appendf(nil, "%0*d", d.r.IntN(60), d.sent), Delay: delay}
		ms = append(ms, m)
		xs = append(xs, &message{d: adapter.Delivery{Type: m.Type, Body: m.Body}, delay: delay})
	}
	if err := d.a.Send(d.Context(), q, ms...); err != nil {
		d.Errorf("Send: %v", err)
	}
	d.m.send(q, xs)
}

func (d *differ) receive(q string, limit int, lease time.Duration) {
	got, err := d.a.Receive(d.Context(), q, adapter.ReceiveOptions{Max: limit, Lease: lease})
	if err != nil {
		d.Errorf("Receive: %v", err)
	}
	want := d.m.receive(q, limit, lease)
	if len(got) != len(want) {
		d.Fatalf("received %d messages, want %d", len(got), len(want))
	}
	for i, x := range want {
		x.d.Lease = got[i].Lease
		d.m.queues[q].leases[x.d.Lease] = x
		if !same(x.d, got[i]) {
			d.Fatalf("delivery %d of %d (-want +got):\n%s", i, len(got), cmp.Diff(x.d, got[i]))
		}
		if d.held == nil {
			d.held = map[string][]adapter.Lease{}
		}
		d.held[q] = append(d.held[q], got[i].Lease)
	}
}

// some takes some of the leases given, in their order: often the latest ones
// only, and of these all, most or few.
func (d *differ) some(q string) []adapter.Lease {
	all := d.held[q]
	all = all[max(0, len(all)-pick(d.r, 1, 10, 100, 1000)):]
	share := pick(d.r, 1, 1, 2, 10)
	var ls []adapter.Lease
	for _, l := range all {
		if d.r.IntN(share) == 0 {
			ls = append(ls, l)
		}
	}
	return ls
}

func (d *differ) settle(q string) {
	var list []adapter.Settlement
	actions := d.r.IntN(4)
	for _, l := range d.some(q) {
		s := adapter.Settlement{Lease: l}
		switch d.r.IntN(1+actions) + 3 - actions {
		case 3: // ack
		case 2:
			s.Do, s.Delay = adapter.Retry, pick(d.r, 0, 0, time.Second)
		case 1:
			s.Do, s.Delay, s.Uncounted = adapter.Retry, pick(d.r, 0, time.Second), true
		case 0:
			s.Do, s.To = adapter.Move, pick(d.r, queues...)
		}
		list = append(list, s)
	}
	d.lost(d.a.Settle(d.Context(), q, list...), d.m.settle(q, list))
}

func (d *differ) extend(q string) {
	ls, by := d.some(q), pick(d.r, 0, time.Second, 5*time.Second)
	d.lost(d.a.Extend(d.Context(), q, by, ls...), d.m.extend(q, by, ls))
}

func (d *differ) lost(err error, want []int) {
	d.Helper()
	var got []int
	var p *adapter.PartialError
	if errors.As(err, &p) {
		for _, it := range p.Items {
			got = append(got, it.Index)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		d.Errorf("lost leases (-want +got):\n%s", diff)
	}
}

func (d *differ) configure(q string, s adapter.Settings) {
	if err := d.a.Configure(d.Context(), q, func(old *adapter.Settings) { *old = s }); err != nil {
		d.Errorf("Configure: %v", err)
	}
	d.m.queue(q).settings = s
}

func (d *differ) purge(q string) {
	mq := d.m.queues[q]
	var ids []string
	want := 0
	share := pick(d.r, 3, 30)
	for _, p := range mq.peek() {
		if d.r.IntN(share) == 0 {
			ids = append(ids, p.ID)
			want++
		}
	}
	if len(ids) == 0 {
		return
	}
	d.r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	got, err := d.a.Purge(d.Context(), q, ids...)
	if got != want || err != nil {
		d.Errorf("Purge: %d went, error %v, want %d", got, err, want)
	}
	for _, id := range ids {
		for _, x := range mq.all {
			if x.d.ID == id {
				mq.remove(x)
				break
			}
		}
	}
}

// compare compares the whole backlog and its numbers. What the model cannot
// know, the ids of new messages, it learns here.
func (d *differ) compare(q string) {
	mq := d.m.queues[q]
	got, err := d.a.Peek(d.Context(), q, 1<<20)
	if err != nil {
		d.Errorf("Peek: %v", err)
	}
	byBody := map[string]string{}
	for _, p := range got {
		byBody[string(p.Body)] = p.ID
	}
	for _, x := range mq.all {
		if x.d.ID == "" {
			x.d.ID = byBody[string(x.d.Body)]
		}
	}
	want := mq.peek()
	if len(got) != len(want) {
		d.Errorf("backlog of %s: %d messages, want %d", q, len(got), len(want))
	}
	for i := range min(len(got), len(want)) {
		if !same(want[i], got[i]) {
			d.Errorf("backlog of %s, message %d of %d (-want +got):\n%s", q, i, len(got), cmp.Diff(want[i], got[i]))
			break
		}
	}
	stats, err := d.a.Stats(d.Context(), q)
	if err != nil {
		d.Errorf("Stats: %v", err)
	}
	if diff := cmp.Diff(mq.stats(), stats); diff != "" {
		d.Errorf("stats of %s (-want +got):\n%s", q, diff)
	}
}

// same is cmp.Equal at the speed that thousands of comparisons need.
func same(x, y adapter.Delivery) bool {
	return x.ID == y.ID && x.Attempts == y.Attempts && x.Enqueued.Equal(y.Enqueued) && x.Type == y.Type &&
		bytes.Equal(x.Body, y.Body) && x.Origin == y.Origin && x.Lease == y.Lease
}
