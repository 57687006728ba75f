package javascript

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	b := batch{text: []byte(`{"queue":"a\"],[{\\","messages":[` +
		`{"id":"x","attempts":1,"timestamp":-5,"body":{"body":[1,"}"],"a":"\\"}},` +
		`{"id":"\\\"","attempts":22,"timestamp":1700000000000,"body":"],[{\"body\":1}\\\\\""},` +
		`{"id":"","attempts":3,"timestamp":0,"body":null},` +
		`{"id":"z","attempts":4,"timestamp":1,"body":[]}]}`)}
	b.split()
	type parts struct{ ID, Attempts, Timestamp, Body string }
	var got []parts
	for _, m := range b.messages {
		got = append(got, parts{string(m.id), string(m.attempts), string(m.timestamp), string(m.body)})
	}
	want := []parts{
		{`"x"`, "1", "-5", `{"body":[1,"}"],"a":"\\"}`},
		{`"\\\""`, "22", "1700000000000", `"],[{\"body\":1}\\\\\""`},
		{`""`, "3", "0", "null"},
		{`"z"`, "4", "1", "[]"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if string(b.queue) != `"a\"],[{\\"` {
		t.Errorf("queue %s", b.queue)
	}
	empty := batch{text: []byte(`{"queue":"","messages":[]}`)}
	if empty.split(); len(empty.messages) > 0 || string(empty.queue) != `""` {
		t.Errorf("%v", empty)
	}
}

// Of any list of values each is taken whole, and no text makes it run on.
func FuzzValue(f *testing.F) {
	for _, text := range []string{`[1,"a",{"b":[]},null]`, `["\\","\"","\\\""]`, `[[[]],{}]`, `{"`, `"\`, `[`, ``, `]`, `"\\\`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var want []json.RawMessage
		var whole bytes.Buffer
		valid := json.Unmarshal([]byte(text), &want) == nil && json.Compact(&whole, []byte(text)) == nil
		c := cursor{[]byte(text)}
		if valid && want != nil {
			c.rest = whole.Bytes()
		}
		c.skip("[")
		for i := 0; len(c.rest) > 0 && c.rest[0] != ']'; i++ {
			before := len(c.rest)
			got := c.value()
			if valid && want != nil {
				var compact bytes.Buffer
				if json.Compact(&compact, want[i]); compact.String() != string(got) {
					t.Fatalf("value %d of %q is %q, want %q", i, text, got, compact.String())
				}
			}
			c.skip(",")
			if len(c.rest) == before {
				t.Fatalf("stuck at %q", c.rest)
			}
		}
	})
}

func FuzzWellFormed(f *testing.F) {
	f.Add([]byte("a\xe4\xbd\xf0\x9f\x98é\xed\xa0\x80"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got := wellFormed(b)
		if !utf8.Valid(got) || utf8.Valid(b) && !bytes.Equal(b, got) {
			t.Fatalf("%q becomes %q", b, got)
		}
		if string(wellFormed(got)) != string(got) {
			t.Fatalf("%q changes again", got)
		}
		if len(got) > 3*len(b) {
			t.Fatalf("%q becomes %q", b, got)
		}
	})
}
