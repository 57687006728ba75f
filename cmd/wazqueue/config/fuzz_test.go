package config_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

// FuzzLoad holds Load to this: it never panics, each line of its error begins
// with the file's name, and what it takes obeys the documented ranges.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte(`{"main":"app.wasm","queues":{"consumers":[{"queue":"q","max_batch_size":0}]}}`))
	f.Add([]byte(`{"main":"app.wasm","queues":{"producers":[{"binding":"B","queue":"q","remote":true}]}}`))
	f.Add([]byte(`{"main":"app.wasm","wazqueue":{"store":"memory:","env":{"A\n":1}}} // x`))
	f.Add([]byte("{\"a\\nb\":[[[]]],\r\n\"main\":\"\\ud800\"}"))
	dir := write(f, nil)
	f.Fuzz(func(t *testing.T, text []byte) {
		file := filepath.Join(dir, "app.jsonc")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c, warnings, err := config.Load(file)
		for _, w := range warnings {
			if s := w.String(); !strings.HasPrefix(s, file+":") || strings.Contains(s, "\n") {
				t.Errorf("warning %q", s)
			}
		}
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, file+":") {
					t.Errorf("line %q", line)
				}
			}
			if _, ok := errors.AsType[*config.Problem](err); !ok {
				t.Errorf("error %T", err)
			}
			return
		}
		for _, k := range c.Consumers {
			if k.Queue == "" || k.MaxBatchSize > 100 || k.MaxConcurrency > 250 || k.RetryDelay < 0 {
				t.Errorf("consumer %+v", k)
			}
		}
	})
}
