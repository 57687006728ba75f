package adaptertest_test

import (
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/adaptertest"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

// An engine's test and benchmark in full.
func ExampleRun() {
	_ = func(t *testing.T) { // TestAdapter
		adaptertest.Run(t, adaptertest.Harness{
			GoClock: true,
			New: func(*testing.T) func() adapter.Adapter {
				return func() adapter.Adapter { return memory.Open() }
			},
		})
	}
	_ = func(b *testing.B) { // BenchmarkAdapter
		b.Run("memory", func(b *testing.B) {
			adaptertest.Bench(b, func(*testing.B) adapter.Adapter { return memory.Open() })
		})
	}
}
