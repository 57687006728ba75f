package validate_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/validate"
)

// hostile are texts of about n bytes that take long if something is not linear.
var hostile = map[string]func(n int) string{
	"names": func(n int) string { return members(n/12, func(i int) string { return fmt.Sprintf("k%d", i) }) },
	"long names": func(n int) string {
		return members(n/40, func(i int) string { return fmt.Sprintf("a name of a good length %d", i) })
	},
	"one name":        func(n int) string { return members(n/7, func(int) string { return "kk" }) },
	"no name":         func(n int) string { return members(n/5, func(int) string { return "" }) },
	"indexes down":    func(n int) string { return members(n/12, func(i int) string { return fmt.Sprint(n - i) }) },
	"sibling objects": func(n int) string { return siblings(40, n/600).text },
	"nested disorder": func(n int) string {
		level := `{"b":0,"a":`
		return strings.Repeat(level, 23) + members(n/12, func(i int) string { return fmt.Sprint("a", n-i) }) + strings.Repeat(`,"b":0,"1":0}`, 23)
	},
	"nested tables": func(n int) string {
		wide := strings.TrimSuffix(members(n/24/12, func(i int) string { return fmt.Sprintf("k%d", i) }), "}")
		return strings.Repeat(wide+`,"x":`, 23) + "0" + strings.Repeat("}", 23)
	},
	"deep siblings":  func(n int) string { return "[" + strings.Repeat(nested(23, "")+",", n/47) + "0]" },
	"empty objects":  func(n int) string { return "[" + strings.Repeat("{},", n/3) + "0]" },
	"growing":        func(n int) string { return spread(n/5) + "0]" },
	"blanks":         func(n int) string { return "[" + strings.Repeat("0 ,\n", n/4) + "0]" },
	"escapes":        func(n int) string { return `"` + strings.Repeat(`\u0041`, n/6) + `"` },
	"surrogates":     func(n int) string { return `"` + strings.Repeat(`\uD83D`, n/6) + `"` },
	"short strings":  func(n int) string { return "[" + strings.Repeat(`"é",`, n/5) + "0]" },
	"broken strings": func(n int) string { return "[" + strings.Repeat(`"é",`, n/5) + "\"\xFF" },
	"digits":         func(n int) string { return "0." + strings.Repeat("1", n) },
	"zeros":          func(n int) string { return strings.Repeat("0", n) },
	"open":           func(n int) string { return `["` + strings.Repeat("a", n) },
}

func members(n int, name func(int) string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"%s":0`, name(i))
	}
	return "{" + b.String()[1:] + "}"
}

// A byte costs much the same in a text of 16 KiB and in one 32 times as long;
// were anything quadratic, it would cost 32 times as much. Not parallel, for
// the sake of the clock: the ratio of two times is all it is used for.
func TestLinear(t *testing.T) {
	if raced {
		return // the ratio is shown without the race detector, in time
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			ratio := math.Inf(1)
			for range 3 {
				if ratio = min(ratio, cost(t, text(1<<19))/cost(t, text(1<<14))); ratio < 8 {
					return
				}
			}
			t.Errorf("a byte of the longer text costs %.1f times as much", ratio)
		})
	}
}

// cost is the time that a byte of the text takes, in nanoseconds.
func cost(t *testing.T, text string) float64 {
	b, dst := []byte(text), make([]byte, 0, 6*len(text))
	best := time.Duration(math.MaxInt64)
	for range 5 {
		n := 1 + (1<<19)/len(b)
		start := time.Now()
		for range n {
			if _, err := validate.Canonical(dst, b, 100); err != nil && !errors.Is(err, validate.ErrSyntax) {
				t.Fatal(err)
			}
		}
		best = min(best, time.Since(start)/time.Duration(n))
	}
	return float64(best) / float64(len(b))
}

// The canonical form is no more than 21/4 of the text: no 4 bytes become more
// than 1e20 does.
func TestGrowthIsBounded(t *testing.T) {
	t.Parallel()
	for name, text := range hostile {
		s := text(5000)
		got, _ := validate.Canonical(nil, []byte(s), 100)
		if 4*len(got) > 21*len(s) {
			t.Errorf("%s: %d bytes become %d", name, len(s), len(got))
		}
	}
	got, err := validate.Canonical(nil, []byte("1e20"), 0)
	check(t, "100000000000000000000", nil, string(got), err)
}
