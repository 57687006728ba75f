package sqlite_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// Random calls by several callers, on two adapters, leave a store whose sums,
// chunks and records agree, while it is in use and after all is settled.
func TestStoreAgreesWithItself(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "queues.db")
	a, b := openAt(t, "sqlite:"+path+"?synchronous=normal"), openAt(t, "sqlite:"+path+"?synchronous=normal")
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	for round := range 4 {
		var wg sync.WaitGroup
		for i, x := range []*sqlite.Adapter{a, b, a} {
			wg.Go(func() {
				c := caller{T: t, a: x, rnd: rand.New(rand.NewPCG(seed, uint64(round*10+i)))}
				for range 80 {
					c.step()
				}
			})
		}
		wg.Wait()
		if err := sqlite.Verify(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range queues {
		if _, err := a.Purge(context.Background(), q); err != nil {
			t.Error(err)
		}
	}
	for _, x := range []*sqlite.Adapter{a, b} {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := sqlite.Verify(path); err != nil {
		t.Fatal(err)
	}
}

var queues = []string{"a", "b", "c"}

// caller makes random calls and remembers the leases it got.
type caller struct {
	*testing.T
	a   *sqlite.Adapter
	rnd *rand.Rand
	has []adapter.Delivery
	of  []string // the queue of each
}

func (c *caller) queue() string { return queues[c.rnd.IntN(len(queues))] }

func (c *caller) step() {
	ctx := context.Background()
	q := c.queue()
	var err error
	switch k := c.rnd.IntN(20); {
	case k < 6:
		err = c.a.Send(ctx, q, c.messages()...)
	case k < 11:
		var ds []adapter.Delivery
		lease := time.Duration(c.rnd.IntN(20)) * time.Millisecond
		ds, err = c.a.Receive(ctx, q, adapter.ReceiveOptions{Max: 1 + c.rnd.IntN(150), Lease: lease + time.Millisecond})
		for _, d := range ds {
			c.has, c.of = append(c.has, d), append(c.of, q)
		}
	case k < 17:
		c.settle()
	case k < 18 && len(c.has) > 0:
		i := c.rnd.IntN(len(c.has))
		_ = c.a.Extend(ctx, c.of[i], 10*time.Millisecond, c.has[i].Lease, c.has[len(c.has)-1].Lease)
	case k < 19 && len(c.has) > 0:
		i := c.rnd.IntN(len(c.has))
		_, err = c.a.Purge(ctx, c.of[i], c.has[i].ID, c.has[0].ID)
	case c.rnd.IntN(8) == 0:
		_, err = c.a.Purge(ctx, q)
	}
	if err != nil && err != adapter.ErrQueueNotFound {
		c.Error(err)
	}
}

func (c *caller) messages() []adapter.Message {
	ms := make([]adapter.Message, 1+c.rnd.IntN(3)*c.rnd.IntN(80))
	for i := range ms {
		ms[i] = adapter.Message{Type: adapter.Text, Body: fmt.Appendf(nil, "%0*d", c.rnd.IntN(1000), i)}
		if c.rnd.IntN(4) == 0 {
			ms[i].Delay = adapter.After(time.Duration(c.rnd.IntN(30)) * time.Millisecond)
		}
	}
	return ms
}

// settle does something to a random part of what it has, in random order.
// Leases may be lost by now.
func (c *caller) settle() {
	if len(c.has) == 0 {
		return
	}
	q := c.of[c.rnd.IntN(len(c.of))]
	var s []adapter.Settlement
	var has []adapter.Delivery
	var of []string
	keep := c.rnd.IntN(3)
	for i, d := range c.has {
		if c.of[i] != q || c.rnd.IntN(3) < keep {
			has, of = append(has, d), append(of, c.of[i])
			continue
		}
		do := adapter.Action(c.rnd.IntN(3))
		s = append(s, adapter.Settlement{Lease: d.Lease, Do: do, To: c.queue(), Uncounted: c.rnd.IntN(2) == 0,
			Delay: time.Duration(c.rnd.IntN(3)) * time.Millisecond})
	}
	if c.rnd.IntN(2) == 0 {
		c.rnd.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	}
	c.has, c.of = has, of
	_ = c.a.Settle(context.Background(), q, s...)
}
