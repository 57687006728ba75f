package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

func load(t *testing.T, texts ...string) (dir string, files []*config.Config) {
	t.Helper()
	named := make(map[string]string)
	for i, text := range texts {
		named[string(rune('a'+i))+".jsonc"] = `{"main":"app.wasm",` + text + `}`
	}
	dir = write(t, named)
	for i := range texts {
		c, _, err := config.Load(filepath.Join(dir, string(rune('a'+i))+".jsonc"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, c)
	}
	return dir, files
}

func queues(producers, consumers string) string {
	return `"queues":{"producers":[` + producers + `],"consumers":[` + consumers + `]}`
}

func TestTogether(t *testing.T) {
	t.Parallel()
	const k = "queues.consumers[0]"
	tests := []struct {
		name     string
		texts    []string
		problems []string
		warnings []string
	}{
		{"nothing to say", []string{queues(`{"binding":"A","queue":"a"}`, ""), queues("", `{"queue":"a"}`)}, nil, nil},
		{"two consumers", []string{queues("", `{"queue":"a"}`), queues("", `{"queue":"a"}`)},
			[]string{`b.jsonc:1: ` + k + `.queue: "a" has a consumer already, at a.jsonc:1: ` + k + `.queue`}, nil},
		{"two delays", []string{
			queues(`{"binding":"A","queue":"a"},{"binding":"B","queue":"a","delivery_delay":2}`, `{"queue":"a"}`),
			queues(`{"binding":"A","queue":"a","delivery_delay":2}`, ""),
			queues(`{"binding":"A","queue":"a","delivery_delay":3}`, "")},
			[]string{`c.jsonc:1: queues.producers[0].delivery_delay: is 3s, but "a" has 2s at a.jsonc:1: ` +
				`queues.producers[1].delivery_delay; a queue has one delivery delay`}, nil},
		{"a circle of dead letters", []string{
			queues("", `{"queue":"x","dead_letter_queue":"a"},{"queue":"a","dead_letter_queue":"b"}`),
			queues("", `{"queue":"b","dead_letter_queue":"c"}`),
			queues("", `{"queue":"c","dead_letter_queue":"a"},{"queue":"d","dead_letter_queue":"c"}`)},
			[]string{`a.jsonc:1: queues.consumers[1].dead_letter_queue: dead letters go in a circle: "a" to "b" to "c" to "a"`}, nil},
		{"two that share their dead letters", []string{
			queues("", `{"queue":"a","dead_letter_queue":"d"},{"queue":"b","dead_letter_queue":"d"},{"queue":"d"}`)}, nil, nil},
		{"queues that nobody empties", []string{
			queues(`{"binding":"A","queue":"a"},{"binding":"B","queue":"a"}`, `{"queue":"b","dead_letter_queue":"d"}`),
			queues(`{"binding":"A","queue":"a"},{"binding":"D","queue":"d"}`, "")}, nil,
			[]string{
				`a.jsonc:1: queues.producers[0].queue: "a" has no consumer in any file; its messages wait until they are too old`,
				`a.jsonc:1: ` + k + `.dead_letter_queue: "d" has no consumer in any file; its messages wait until they are too old`,
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, files := load(t, tt.texts...)
			warnings, err := config.Together(files...)
			var got []string
			for _, w := range warnings {
				got = append(got, lines(dir, w.String())...)
			}
			if d := cmp.Diff(tt.problems, problems(dir, err)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.warnings, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// In a store's URL percent signs escape, in the folder of the file they do not.
func TestStoreBesideAnOddFolder(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(write(t, nil), "50%?")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "a.json")
	text := `{"main":"../app.wasm","wazqueue":{"store":"sqlite:a%20b.db?synchronous=full"}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, _, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	want := "sqlite:" + filepath.ToSlash(filepath.Dir(dir)) + "/50%25%3F/a%20b.db?synchronous=full"
	if d := cmp.Diff(want, c.Store); d != "" {
		t.Error(d)
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	store := func(url string) string { return `"wazqueue":{"store":"` + url + `"}` }
	const none = `"name":"x"`
	tests := []struct {
		name     string
		texts    []string
		want     string
		problems []string
	}{
		{"none named", []string{none}, "sqlite:.wazqueue/queues.db", nil},
		{"the first one's", []string{store("memory:"), none, store("memory:")}, "memory:", nil},
		{"the same file by another path", []string{store("sqlite:q.db"), store("sqlite:./x/../q.db")}, "sqlite:q.db", nil},
		{"two stores", []string{store("memory:"), store("sqlite:q.db")}, "memory:",
			[]string{"b.jsonc:1: wazqueue.store: is sqlite:q.db, but a.jsonc names memory:; all files share one store"}},
		{"other than the first one's default", []string{none, store("memory:")}, "sqlite:.wazqueue/queues.db",
			[]string{"b.jsonc:1: wazqueue.store: is memory:, but a.jsonc leaves it at sqlite:.wazqueue/queues.db; all files share one store"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, files := load(t, tt.texts...)
			got, err := config.Store(files...)
			if d := cmp.Diff([]string{tt.want}, lines(dir, got)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(tt.problems, problems(dir, err)); d != "" {
				t.Error(d)
			}
		})
	}
}
