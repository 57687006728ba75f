package validate_test

import (
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/validate"
)

// Not parallel: what other tests allocate would be counted.
func TestAllocations(t *testing.T) {
	if raced {
		return // the race detector empties the pool at random
	}
	dst := make([]byte, 0, validate.MaxBody)
	texts := samples()
	texts["rewritten"] = []byte(` { "b" : [ 1e2 , "\u4e2d\ud800" , 0.10 ] , "1" : "\/" , "b" : -0 , "\u0000" : 1234567890123456789012345678901234567890 } `)
	texts["many names"] = []byte(many(1000).text)
	for name, text := range texts {
		t.Run("Body/"+name, func(t *testing.T) {
			allocates(t, 0, func() error { _, err := validate.Body(dst, text); return err })
		})
		t.Run("Body without room/"+name, func(t *testing.T) {
			allocates(t, 1, func() error { _, err := validate.Body(nil, text); return err })
		})
		t.Run("Canonical/"+name, func(t *testing.T) {
			allocates(t, 0, func() error { _, err := validate.Canonical(dst, text, 24); return err })
		})
	}
	for name, text := range map[string]string{
		"one":       `[{"body":1}]`,
		"hundred":   items(100, `{"body":{"b":"\u4e2d","1":[1e2]},"\u0062ody":{"x":1},"delaySeconds":5}`),
		"large":     `[` + half + `,` + half + `]`,
		"indented":  `[{"body":[` + strings.Repeat("\n        1,", 60_000) + `1]}]`,
		"much text": `[{"body":1}` + strings.Repeat(" ", 1<<20-12) + `]`,
	} {
		t.Run("Batch/"+name, func(t *testing.T) {
			allocates(t, 2, func() error { _, err := validate.Batch([]byte(text)); return err }) // the list and the bodies
		})
	}
	t.Run("AppendString", func(t *testing.T) {
		allocates(t, 0, func() error { validate.AppendString(dst, "消息 \"\n\xFF"); return nil })
	})
}

func allocates(t *testing.T, want float64, f func() error) {
	t.Helper()
	got := testing.AllocsPerRun(100, func() {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	})
	if got > want {
		t.Errorf("%v allocations, want %v", got, want)
	}
}
