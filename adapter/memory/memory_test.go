package memory_test

import (
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/adaptertest"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

func TestAdapter(t *testing.T) {
	t.Parallel()
	adaptertest.Run(t, adaptertest.Harness{
		GoClock: true,
		New:     func(*testing.T) func() adapter.Adapter { return open },
	})
}

// TestAdapterInRealTime runs the same cases on the clock that servers use: it
// proves that the suite works there, too.
func TestAdapterInRealTime(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes seconds")
	}
	adaptertest.Run(t, adaptertest.Harness{
		New: func(*testing.T) func() adapter.Adapter { return open },
	})
}

func open() adapter.Adapter { return memory.Open() }

func BenchmarkAdapter(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		adaptertest.Bench(b, func(*testing.B) adapter.Adapter { return open() })
	})
}
