package memory_test

import (
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

// TestAllocs guards the budget of a guest's send. It is not parallel, since
// AllocsPerRun counts those of other tests, too.
func TestAllocs(t *testing.T) {
	a := memory.Open()
	defer a.Close()
	ctx := t.Context()
	hundred := make([]adapter.Message, 100)
	for i := range hundred {
		hundred[i].Body = make([]byte, 200)
	}
	list := make([]adapter.Settlement, 0, 100)
	drain := func(n int) {
		ds, err := a.Receive(ctx, "q", adapter.ReceiveOptions{Max: n})
		if err != nil || len(ds) != n {
			t.Errorf("received %d, error %v, want %d", len(ds), err, n)
		}
		list = list[:0]
		for _, d := range ds {
			list = append(list, adapter.Settlement{Lease: d.Lease})
		}
		if err := a.Settle(ctx, "q", list...); err != nil {
			t.Errorf("Settle: %v", err)
		}
	}
	send := func(ms []adapter.Message) {
		if err := a.Send(ctx, "q", ms...); err != nil {
			t.Errorf("Send: %v", err)
		}
	}
	tests := []struct {
		name string
		run  func()
		most float64
	}{
		{"send one", func() { send(hundred[:1]) }, 2},
		{"send a hundred", func() { send(hundred) }, 3},
		{"receive and ack a hundred", func() { drain(100) }, 2},
		{"receive and ack one of many", func() { drain(1) }, 3},
	}
	for range 30 {
		send(hundred)
	}
	for _, tt := range tests {
		if got := testing.AllocsPerRun(10, tt.run); got > tt.most {
			t.Errorf("%s: %v allocations, want at most %v", tt.name, got, tt.most)
		}
	}
}
