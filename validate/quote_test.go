package validate_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/validate"
)

func TestAppendString(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, s, want string }{
		{"nothing", "", `""`},
		{"plain", "plain", `"plain"`},
		{"quotes and backslashes", `"\"`, `"\"\\\""`},
		{"short escapes", "\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"other control characters", "\x00\x01\x0b\x1f", `"\u0000\u0001\u000b\u001f"`},
		{"no more than JSON needs", "/<>&'\x7f\u0080\u2028\u2029\uFEFF\uFFFF", "\"/<>&'\x7f\u0080\u2028\u2029\uFEFF\uFFFF\""},
		{"beyond ASCII", "é 消息 😀", `"é 消息 😀"`},
		{"across blocks of eight", "seven77\"eight888\nfifteen bytes 5\x00消息消息\t", `"seven77\"eight888\nfifteen bytes 5\u0000消息消息\t"`},
		{"not UTF-8", "a\xFFb", "\"a\uFFFDb\""},
		{"not UTF-8: a surrogate", "\xED\xA0\x80", "\"\uFFFD\uFFFD\uFFFD\""},
		{"not UTF-8: cut short", "消息\xE4\xB8", "\"消息\uFFFD\uFFFD\""},
		{"not UTF-8: cut by an escape", "\xE4\xB8\n\xAD", "\"\uFFFD\uFFFD\\n\uFFFD\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := validate.AppendString([]byte("before"), tt.s)
			if d := cmp.Diff("before"+tt.want, string(got)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Each byte that is to be escaped is found at each place of a block.
func TestAppendStringEveryByte(t *testing.T) {
	t.Parallel()
	for c := range rune(0x100) {
		for before := range 20 {
			s := strings.Repeat("x", before) + string(c) + strings.Repeat("é", 20-before)
			checkString(t, s)
		}
	}
}

// checkString holds AppendString against encoding/json.
func checkString(t *testing.T, s string) {
	t.Helper()
	got := validate.AppendString(nil, s)
	var back string
	if err := json.Unmarshal(got, &back); err != nil {
		t.Fatalf("%q: %s: %v", s, got, err)
	}
	if d := cmp.Diff(string([]rune(s)), back); d != "" {
		t.Fatalf("%q: %s", s, d)
	}
	canonical, err := validate.Canonical(nil, got, 0)
	check(t, string(got), nil, string(canonical), err)
}

func ExampleAppendString() {
	fmt.Printf("%s\n", validate.AppendString([]byte("queue: "), "页面\n\"一\""))
	// Output: queue: "页面\n\"一\""
}
