package validate_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/validate"
)

// seedSize is the size up to which a text is a seed: the fuzzer shortens larger
// ones for longer than it tries them. The differential test has those.
const seedSize = 1000

func FuzzCanonical(f *testing.F) {
	for _, g := range groups {
		for _, v := range g.vectors {
			if len(v.text) <= seedSize {
				f.Add([]byte(v.text), validate.MaxDepth)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, depth int) {
		depth %= 100
		got, err := validate.Canonical([]byte("before"), text, depth)
		got = after(t, got)
		agrees(t, text, err, validate.ErrSyntax)
		if err != nil {
			if len(got) > 0 {
				t.Errorf("%v, and a result: %q", err, got)
			}
			return
		}
		if 4*len(got) > 21*len(text) {
			t.Errorf("%d bytes became %d", len(text), len(got))
		}
		equivalent(t, text, got)
		again, err := validate.Canonical(nil, got, depth)
		check(t, string(got), nil, string(again), err)
	})
}

func FuzzBody(f *testing.F) {
	for _, b := range bodies {
		if len(b.text) <= seedSize {
			f.Add([]byte(b.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, err := validate.Body([]byte("before"), text)
		got = after(t, got)
		agrees(t, text, err, validate.ErrBodySyntax)
		canonical, cause := validate.Canonical(nil, text, validate.MaxDepth)
		switch {
		case len(text) > validate.MaxBody || cause == nil && len(canonical) > validate.MaxBody:
			check(t, "", validate.ErrBodyTooLarge, string(got), err)
		case cause == nil:
			check(t, string(canonical), nil, string(got), err)
			in, err := validate.Body(bytes.Clone(text)[:0], text)
			check(t, string(canonical), nil, string(in), err)
		case errors.Is(err, validate.ErrBodyTooLarge): // before what follows the value
			check(t, "", validate.ErrSyntax, string(canonical), cause)
		default:
			check(t, names[cause], nil, names[err], nil)
		}
	})
}

func FuzzBatch(f *testing.F) {
	for _, b := range batches {
		if len(b.text) <= seedSize {
			f.Add([]byte(b.text))
		}
	}
	for _, b := range badBatches {
		if len(b.text) <= seedSize {
			f.Add([]byte(b.text))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		list, err := validate.Batch(text)
		agrees(t, text, err, validate.ErrBatchSyntax)
		if err != nil {
			if list != nil || names[err] == "" {
				t.Errorf("%v, and %d messages", err, len(list))
			}
			return
		}
		if len(list) < 1 || len(list) > validate.MaxBatch {
			t.Errorf("%d messages", len(list))
		}
		total := 0
		again := []byte{'['}
		for i, m := range list {
			if m.Delay < 0 || m.Delay > validate.MaxDelay || len(m.Body) != cap(m.Body) {
				t.Errorf("message %d: %+v", i, m)
			}
			total += len(m.Body)
			body, err := validate.Body(nil, m.Body)
			check(t, string(m.Body), nil, string(body), err)
			again = append(append(again, `{"body":`...), m.Body...)
			again = fmt.Appendf(again, `,"delaySeconds":%d},`, m.Delay/time.Second)
		}
		if total > validate.MaxBatchBodies {
			t.Errorf("%d bytes of bodies", total)
		}
		again[len(again)-1] = ']'
		same, err := validate.Batch(again)
		if d := cmp.Diff(list, same); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", again, err, d)
		}
	})
}

func FuzzString(f *testing.F) {
	for _, s := range []string{"", "a", "\xFF", "\"\\\b\x00", "消息\u2028😀", "a string of some length\n"} {
		f.Add(s)
	}
	f.Fuzz(checkString)
}

// after is what comes after the prefix that the fuzz targets append to.
func after(t *testing.T, got []byte) []byte {
	rest, ok := bytes.CutPrefix(got, []byte("before"))
	if !ok {
		t.Errorf("the prefix was touched: %q", got)
	}
	return rest
}

// agrees holds what is JSON against the standard library's opinion. An error
// other than syntax leaves open what the rest of the text is.
func agrees(t *testing.T, text []byte, err, syntax error) {
	valid := utf8.Valid(text) && json.Valid(text)
	if valid && errors.Is(err, syntax) || !valid && err == nil {
		t.Errorf("%q: %v, but valid: %t", text, err, valid)
	}
}

// equivalent holds the canonical form against the text: both are the same value
// to the standard library, except that half surrogates are all the same to it.
func equivalent(t *testing.T, text, canonical []byte) {
	var want, got any
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(canonical, &got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(canonical, []byte(`\ud`)) {
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%q became %q", text, canonical)
		}
	}
}
