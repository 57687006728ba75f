package peers

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// ours is a wazqueue engine behind its public API.
type ours struct{ a adapter.Adapter }

func openSQLite(tb testing.TB, durability string) queue {
	tb.Helper()
	a, err := sqlite.Open(context.Background(), "sqlite:"+filepath.ToSlash(filepath.Join(tb.TempDir(), "q.db"))+"?synchronous="+durability)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = a.Close() })
	return ours{a}
}

func (o ours) send(bodies [][]byte) error {
	ms := make([]adapter.Message, len(bodies))
	for i, b := range bodies {
		ms[i] = adapter.Message{Type: adapter.Bytes, Body: b}
	}
	return o.a.Send(context.Background(), "q", ms...)
}

func (o ours) drain(n int) (int, error) {
	ds, err := o.a.Receive(context.Background(), "q", adapter.ReceiveOptions{Max: n})
	if err != nil || len(ds) == 0 {
		return 0, err
	}
	s := make([]adapter.Settlement, len(ds))
	for i, d := range ds {
		s[i] = adapter.Settlement{Lease: d.Lease}
	}
	return len(ds), o.a.Settle(context.Background(), "q", s...)
}
