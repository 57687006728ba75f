package bridge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wazqueue/wazqueue/bridge"
)

func nested(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }

func TestAppendJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, want string
		err              error
	}{
		{"made canonical", ` { "b" : 1.0, "0" : "\u003c" } `, `{"0":"<","b":1}`, nil},
		{"32 levels", nested(32), nested(32), nil},
		{"A-40 33 levels", nested(33), "", bridge.ErrTooDeep},
		{"A-40 an object is a level", `{"a":` + nested(32) + `}`, "", bridge.ErrTooDeep},
		{"A-17 a host token", `[{"$句柄":"1"}]`, "", bridge.ErrNotValue},
		{"A-17 a host token beside others", `{"a":1,"$大整数":"1"}`, "", bridge.ErrNotValue},
		{"A-18 a host token in escapes", `{"\u0024\u672a\u5b9a\u4e49":1}`, "", bridge.ErrNotValue},
		{"A-19 overflow", `1e999`, "", bridge.ErrNotValue},
		{"not JSON", `{`, "", bridge.ErrNotValue},
		{"not UTF-8", "\"\xff\"", "", bridge.ErrNotValue},
		{"empty", "", "", bridge.ErrNotValue},
		{"the first violation counts: token", `{"$数字":` + nested(40) + `}`, "", bridge.ErrNotValue},
		{"the first violation counts: depth", nested(33) + `,{"$数字":1}`, "", bridge.ErrTooDeep},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := bridge.AppendJSON([]byte("kept"), []byte(tt.text))
			if !errors.Is(err, tt.err) || string(got) != "kept"+tt.want {
				t.Errorf("AppendJSON = %q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestAppendText(t *testing.T) {
	t.Parallel()
	got, err := bridge.AppendText([]byte("kept"), []byte("a\"\\\n<\u2028中"))
	if want := `kept"a\"\\\n<` + "\u2028中\""; err != nil || string(got) != want {
		t.Errorf("AppendText = %q, %v; want %q", got, err, want)
	}
	if got, err := bridge.AppendText([]byte("kept"), []byte("\xed\xa0\x80")); !errors.Is(err, bridge.ErrNotValue) || string(got) != "kept" {
		t.Errorf("a surrogate in UTF-8: %q, %v", got, err)
	}
}
