package config_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	producer := func(s string) string { return `{"main":"app.wasm","queues":{"producers":[` + s + `]}}` }
	consumer := func(s string) string { return `{"main":"app.wasm","queues":{"consumers":[{"queue":"q",` + s + `}]}}` }
	own := func(s string) string { return `{"main":"app.wasm","wazqueue":{` + s + `}}` }
	const p, k, w = "a.jsonc:1: queues.producers[0]", "a.jsonc:1: queues.consumers[0]", "a.jsonc:1: wazqueue"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"empty", " \n", []string{"a.jsonc: is empty"}},
		{"only a comment", "// x", []string{"a.jsonc:2: is not JSONC: column 1: parsing value: unexpected EOF"}},
		{"not an object", "\n[1]", []string{"a.jsonc:2: must be a JSON object, is an array"}},
		{"not UTF-8", "{\n\"main\":\"\xff\"}", []string{"a.jsonc:2: is not valid UTF-8"}},
		{"UTF-16", "\xff\xfe{\x00}\x00", []string{"a.jsonc: is UTF-16; save it as UTF-8"}},
		{"syntax", "{\n  \"main\" \"app.wasm\"}",
			[]string{`a.jsonc:2: is not JSONC: column 10: invalid character '"' after object name`}},
		{"cut off", "{\"main\":", []string{"a.jsonc:2: is not JSONC: column 1: parsing value: unexpected EOF"}},
		{"two values", "{} {}", []string{"a.jsonc:1: is not JSONC: column 4: invalid character '{' after top-level value"}},
		{"too deep for the parser", strings.Repeat("[", 10_001), []string{"a.jsonc: has more than 10000 opening brackets"}},
		{"too large", strings.Repeat(" ", 1<<20) + "{}", []string{"a.jsonc: is larger than 1048576 bytes"}},

		{"no main", "\n{}", []string{"a.jsonc:2: main: is missing: the path of the program, such as app.wasm or app.js"}},
		{"main that is nowhere", `{"main":"b.wasm"}`, []string{"a.jsonc:1: main: there is no file b.wasm"}},
		{"main below a file", `{"main":"app.wasm/x"}`, []string{"a.jsonc:1: main: app.wasm/x: not a directory"}},
		{"main that is a folder", `{"main":"sub/.."}`, []string{"a.jsonc:1: main: DIR is a directory"}},
		{"main of a wrong type", `{"main":1}`, []string{"a.jsonc:1: main: must be a string, is a number"}},
		{"empty name", `{"main":"app.wasm","name":""}`, []string{"a.jsonc:1: name: must not be empty"}},
		{"a key twice", "{\"main\":\"app.wasm\",\n\"\\u006dain\":\"app.wasm\"}",
			[]string{"a.jsonc:2: main: is given twice, first in line 1"}},

		{"queues of a wrong type", `{"main":"app.wasm","queues":null}`, []string{"a.jsonc:1: queues: must be an object, is null"}},
		{"unknown queues key", `{"main":"app.wasm","queues":{"consumer":[]}}`,
			[]string{"a.jsonc:1: queues.consumer: unknown key; known here: consumers, producers"}},
		{"producers of a wrong type", `{"main":"app.wasm","queues":{"producers":{}}}`,
			[]string{"a.jsonc:1: queues.producers: must be an array, is an object"}},
		{"producer of a wrong type", producer("true"), []string{p + ": must be an object, is a boolean"}},
		{"producer without keys", producer("{}"), []string{p + ".binding: is missing", p + ".queue: is missing"}},
		{"empty binding and queue", producer(`{"binding":"","queue":""}`),
			[]string{p + ".binding: must not be empty", p + ".queue: must not be empty"}},
		{"a queue that is not text", producer(`{"binding":"B","queue":"\ud800"}`), []string{p + `.queue: is not valid text: "\ud800"`}},
		{"a binding with a control character", producer(`{"binding":"B\n","queue":"q"}`),
			[]string{p + `.binding: must not hold control characters, is "B\n"`}},
		{"a delay below 0", producer(`{"binding":"B","queue":"q","delivery_delay":-1}`),
			[]string{p + ".delivery_delay: must be 0 to 86400, is -1"}},
		{"a delay above a day", producer(`{"binding":"B","queue":"q","delivery_delay":86401}`),
			[]string{p + ".delivery_delay: must be 0 to 86400, is 86401"}},
		{"remote", producer(`{"binding":"B","queue":"q","remote":true}`),
			[]string{p + ".remote: must be false: there is no remote queue here, programs use the store of this process"}},
		{"remote of a wrong type", producer(`{"binding":"B","queue":"q","remote":"no"}`),
			[]string{p + ".remote: must be true or false, is a string"}},
		{"unknown producer key", producer(`{"binding":"B","queue":"q","delay\n":1}`),
			[]string{p + `."delay\n": unknown key; known here: binding, delivery_delay, queue, remote`}},
		{"a binding twice", producer("{\"binding\":\"B\",\"queue\":\"q\"},\n{\"binding\":\"B\",\"queue\":\"q\"}"),
			[]string{`a.jsonc:2: queues.producers[1].binding: "B" is bound already in line 1`}},
		{"two delays of a queue", producer(`{"binding":"B","queue":"q","delivery_delay":1},{"binding":"C","queue":"q","delivery_delay":0}`),
			[]string{`a.jsonc:1: queues.producers[1].delivery_delay: is 0s, but "q" has 1s at ` + p + `.delivery_delay; a queue has one delivery delay`}},

		{"consumer without a queue", `{"main":"app.wasm","queues":{"consumers":[{},{}]}}`,
			[]string{k + ".queue: is missing", "a.jsonc:1: queues.consumers[1].queue: is missing"}},
		{"a pull consumer", consumer(`"type":"http_pull"`),
			[]string{k + `.type: must be "worker", is "http_pull": wazqueue hands batches to the program, nobody pulls them`}},
		{"B-4 batch size 0", consumer(`"max_batch_size":0`), []string{k + ".max_batch_size: must be 1 to 100, is 0"}},
		{"B-4 batch size 101", consumer(`"max_batch_size":101`), []string{k + ".max_batch_size: must be 1 to 100, is 101"}},
		{"a fraction of a message", consumer(`"max_batch_size":1.5`), []string{k + ".max_batch_size: must be a whole number, is 1.5"}},
		{"a number as text", consumer(`"max_batch_size":"10"`), []string{k + ".max_batch_size: must be a whole number, is a string"}},
		{"B-5 batch timeout", consumer(`"max_batch_timeout":60.001`), []string{k + ".max_batch_timeout: must be 0 to 60, is 60.001"}},
		{"B-6 retries 101", consumer(`"max_retries":101`), []string{k + ".max_retries: must be 0 to 100, is 101"}},
		{"B-6 retries -1", consumer(`"max_retries":-1`), []string{k + ".max_retries: must be 0 to 100, is -1"}},
		{"B-7 retry delay", consumer(`"retry_delay":1e999`), []string{k + ".retry_delay: must be 0 to 86400, is 1e999"}},
		{"no retry delay", consumer(`"retry_delay":null`), []string{k + ".retry_delay: must be a number, is null"}},
		{"concurrency 0", consumer(`"max_concurrency":0`), []string{k + ".max_concurrency: must be 1 to 250, is 0"}},
		{"concurrency 251", consumer(`"max_concurrency":251`), []string{k + ".max_concurrency: must be 1 to 250, is 251"}},
		{"B-8 visibility", consumer(`"visibility_timeout_ms":43200001`),
			[]string{k + ".visibility_timeout_ms: must be 100 to 43200000, is 43200001"}},
		{"two consumers", consumer(`"max_retries":1},{"queue":"q"`),
			[]string{`a.jsonc:1: queues.consumers[1].queue: "q" has a consumer already, at ` + k + `.queue`}},
		{"its own dead letters", consumer(`"dead_letter_queue":"q"`),
			[]string{k + `.dead_letter_queue: dead letters go in a circle: "q" to "q"`}},

		{"unknown key of ours", own(`"speed":"x"`),
			[]string{w + ".speed: unknown key; known here: env, instance, limits, permissions, store"}},
		{"instance", own(`"instance":"x"`), []string{w + `.instance: must be auto, new or rewind, is "x"`}},
		{"unknown permission", own(`"permissions":{"KV":[]}`), []string{w + ".permissions.KV: unknown key; known here: QUEUE"}},
		{"an empty permission", own(`"permissions":{"QUEUE":["",1]}`), []string{
			w + ".permissions.QUEUE[0]: must not be empty", w + ".permissions.QUEUE[1]: must be a string, is a number"}},
		{"a store that is no URL", own(`"store":"queues.db"`),
			[]string{w + `.store: must be a URL such as memory: or sqlite:queues.db, is "queues.db"`}},
		{"a store without a file", own(`"store":"sqlite:?x"`), []string{w + ".store: must name a file, such as sqlite:queues.db"}},
		{"limits", own(`"limits":{"event_seconds":0,"memory_mib":4097,"output_bytes":-1,"instances":0,"grace_seconds":3601}`), []string{
			w + ".limits.event_seconds: must be 0.001 to 86400, is 0", w + ".limits.memory_mib: must be 1 to 4096, is 4097",
			w + ".limits.output_bytes: must be 1 to 1073741824, is -1", w + ".limits.instances: must be 1 to 100000, is 0",
			w + ".limits.grace_seconds: must be 0 to 3600, is 3601"}},
		{"env", own(`"env":{"A":1,"B=":"x","":"y","C":"\u0000"}`), []string{
			w + ".env.A: must be a string, is a number", w + `.env."B=": cannot be a variable's name`,
			w + `.env."": cannot be a variable's name`, w + ".env.C: must not hold a zero byte"}},

		{"all at once, by line", "{\n\"queues\": {\"consumers\": [\n{\"queue\": \"q\", \"max_batch_size\": 0},\n{\"queue\": \"q\"}]},\n\"wazqueue\": 1}",
			[]string{
				"a.jsonc:1: main: is missing: the path of the program, such as app.wasm or app.js",
				"a.jsonc:3: queues.consumers[0].max_batch_size: must be 1 to 100, is 0",
				`a.jsonc:4: queues.consumers[1].queue: "q" has a consumer already, at a.jsonc:3: queues.consumers[0].queue`,
				"a.jsonc:5: wazqueue: must be an object, is a number",
			}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := write(t, map[string]string{"a.jsonc": tt.text})
			c, _, err := config.Load(filepath.Join(dir, "a.jsonc"))
			got := problems(dir, err)
			for i := range got {
				got[i] = strings.ReplaceAll(got[i], dir, "DIR")
			}
			if d := cmp.Diff(tt.want, got); d != "" || c != nil {
				t.Error(c, d)
			}
		})
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	t.Parallel()
	dir := write(t, map[string]string{"wrangler.toml": "name = 1"})
	for file, want := range map[string]string{
		"none.jsonc":    "none.jsonc: cannot be read: no such file or directory",
		"wrangler.toml": "wrangler.toml: TOML is not read; write the file as JSON or JSONC",
	} {
		_, _, err := config.Load(filepath.Join(dir, file))
		if d := cmp.Diff([]string{want}, problems(dir, err)); d != "" {
			t.Error(d)
		}
	}
	if _, _, err := config.Load(dir); err == nil || err.Error() != dir+": cannot be read: is a directory" {
		t.Error(err)
	}
}
