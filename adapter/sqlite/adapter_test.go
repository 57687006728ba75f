package sqlite_test

import (
	"context"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/adaptertest"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// address is a URL of a file in a new folder.
func address(tb testing.TB, query string) string {
	tb.Helper()
	u := url.URL{Path: filepath.Join(tb.TempDir(), "queues.db")}
	return "sqlite:" + u.EscapedPath() + query
}

func openAt(tb testing.TB, address string) *sqlite.Adapter {
	tb.Helper()
	a, err := sqlite.Open(context.Background(), address)
	if err != nil {
		tb.Fatal(err)
	}
	return a
}

func TestAdapter(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"", "?synchronous=normal"} {
		t.Run("sqlite"+query, func(t *testing.T) {
			t.Parallel()
			adaptertest.Run(t, adaptertest.Harness{
				GoClock: true,
				New: func(t *testing.T) func() adapter.Adapter {
					at := address(t, query)
					return func() adapter.Adapter { return openAt(t, at) }
				},
			})
		})
	}
}

func BenchmarkAdapter(b *testing.B) {
	for name, query := range map[string]string{"sqlite": "", "sqlite-normal": "?synchronous=normal"} {
		b.Run(name, func(b *testing.B) {
			adaptertest.Bench(b, func(b *testing.B) adapter.Adapter { return openAt(b, address(b, query)) })
		})
	}
}
