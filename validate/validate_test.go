package validate_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/bytedance/sonic"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wazqueue/wazqueue/validate"
)

func TestCanonical(t *testing.T) {
	t.Parallel()
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			for _, v := range g.vectors {
				t.Run(brief(v.text), func(t *testing.T) {
					got, err := validate.Canonical([]byte("before"), []byte(v.text), validate.MaxDepth)
					check(t, "before"+v.want, v.err, string(got), err)
				})
			}
		})
	}
}

// The same vectors hold for V8, so that none of them is a mere belief.
func TestVectorsAreV8s(t *testing.T) {
	t.Parallel()
	oracle := startNode(t)
	var requests [][]byte
	var want []answer
	for _, g := range groups {
		for _, v := range g.vectors {
			requests = append(requests, append([]byte{'C', validate.MaxDepth}, v.text...))
			want = append(want, answer{names[v.err], v.want})
		}
	}
	for _, b := range bodies {
		requests = append(requests, append([]byte{'B'}, b.text...))
		want = append(want, answer{names[b.err], b.want})
	}
	for _, b := range batches {
		requests = append(requests, append([]byte{'A'}, b.text...))
		var list []validate.Message
		for _, m := range b.want {
			list = append(list, validate.Message{Body: []byte(m.Body), Delay: m.Delay})
		}
		want = append(want, answer{"", string(rows(list))})
	}
	for _, b := range badBatches {
		requests = append(requests, append([]byte{'A'}, b.text...))
		want = append(want, answer{names[b.want], ""})
	}
	got, err := oracle.ask(requests)
	if err != nil {
		t.Fatal(err)
	}
	for i := range want {
		if d := cmp.Diff(want[i], got[i]); d != "" {
			t.Errorf("%.200q: -vector +V8\n%s", requests[i], d)
		}
	}
}

func TestCanonicalDepth(t *testing.T) {
	t.Parallel()
	for depth := range 40 {
		for n := range 42 {
			_, err := validate.Canonical(nil, []byte(nested(n, "1")), depth)
			want := error(nil)
			if n > depth {
				want = validate.ErrDepth
			}
			if d := cmp.Diff(want, err, cmpopts.EquateErrors()); d != "" {
				t.Errorf("%d levels where %d are allowed: %s", n, depth, d)
			}
		}
	}
}

// spread is an array of numbers that grow: n times 5 bytes become 22.
func spread(n int) string { return "[" + strings.Repeat("1e20,", n) }

// fill is n bytes of text.
func fill(n int) string { return strings.Repeat("a", n) }

// bodies are texts of bodies and what becomes of them.
var bodies = []struct {
	name, text, want string
	err              error
}{
	{"A-51 an object", `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`, `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`, nil},
	{"A-10 null", `null`, `null`, nil},
	{"A-11 blanks and escapes", " { \"a\" : \"\\u0041\\/\" } ", `{"a":"A/"}`, nil},
	{"A-12 a double", `9007199254740993`, `9007199254740992`, nil},
	{"A-13 the text with its blanks", `"` + fill(127_900) + `"` + strings.Repeat(" ", 98), `"` + fill(127_900) + `"`, nil},
	{"A-13 the text with its blanks, one more", `"` + fill(127_900) + `"` + strings.Repeat(" ", 99), "", validate.ErrBodyTooLarge},
	{"A-14 A-54 128000 bytes", `"` + fill(127_998) + `"`, `"` + fill(127_998) + `"`, nil},
	{"A-14 A-54 128001 bytes", `"` + fill(127_999) + `"`, "", validate.ErrBodyTooLarge},
	{"A-13 UTF-8 bytes, not characters", `"` + strings.Repeat("消", 42_667) + `"`, "", validate.ErrBodyTooLarge},
	{"A-13 canonical form of 128000 bytes", spread(5818) + "12]", "[" + strings.Repeat("100000000000000000000,", 5818) + "12]", nil},
	{"A-13 canonical form of 128001 bytes", spread(5818) + "123]", "", validate.ErrBodyTooLarge},
	{"A-13 larger before an equal name drops it", `{"a":` + spread(5900) + `1],"a":1}`, `{"a":1}`, nil},
	{"A-15 24 levels", nested(24, ""), nested(24, ""), nil},
	{"A-15 25 levels", nested(25, ""), "", validate.ErrBodyDepth},
	{"A-17 A-53 a token", `{"$句柄":"1"}`, "", validate.ErrBodyToken},
	{"A-18 A-53 an escaped token", `{"\u0024句柄":"1"}`, "", validate.ErrBodyToken},
	{"A-19 A-53 overflow", `1e999`, "", validate.ErrBodyToken},
	{"A-53 not JSON", `{`, "", validate.ErrBodySyntax},
	{"A-30 nothing", ``, "", validate.ErrBodySyntax},
	{"A-30 not UTF-8", "\"\xFF\"", "", validate.ErrBodySyntax},
	{"first: the text's size, then what it holds", "\xFF" + fill(128_000), "", validate.ErrBodyTooLarge},
	{"first: a token, then syntax", `{"$句柄":}`, "", validate.ErrBodyToken},
	{"first: depth, then a token", strings.Repeat("[", 25) + `{"$句柄":1}`, "", validate.ErrBodyDepth},
	{"first: syntax, then depth", "[1 " + nested(25, ""), "", validate.ErrBodySyntax},
	{"first: the canonical size, then what follows the value", spread(5900) + "1]x", "", validate.ErrBodyTooLarge},
	{"first: syntax inside, then the canonical size", spread(5900) + "1 x]", "", validate.ErrBodySyntax},
	{"first: a token inside, then the canonical size", spread(5900) + "1e999]", "", validate.ErrBodyToken},
	{"a violation in a dropped value: token", `{"a":{"$句柄":1},"a":1}`, "", validate.ErrBodyToken},
	{"a violation in a dropped value: overflow", `{"a":1e999,"a":1}`, "", validate.ErrBodyToken},
	{"a violation in a dropped value: depth", `{"a":` + nested(24, "") + `,"a":1}`, "", validate.ErrBodyDepth},
}

func TestBody(t *testing.T) {
	t.Parallel()
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := validate.Body([]byte("before"), []byte(tt.text))
			check(t, "before"+tt.want, tt.err, string(got), err)
		})
	}
}

// A guest finds these texts in its exceptions.
func TestTexts(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"消息体超过 128000 字节":                      validate.ErrBodyTooLarge,
		"消息体不是有效的 JSON 文字":                     validate.ErrBodySyntax,
		"消息体含有不属于 JSON 的值或宿主专用记号":              validate.ErrBodyToken,
		"消息体嵌套超过 24 层":                         validate.ErrBodyDepth,
		"批量消息文字超过 1 MiB":                       validate.ErrBatchTooLarge,
		"批量消息不是有效的 JSON 文字":                    validate.ErrBatchSyntax,
		"批量消息含有不属于 JSON 的值或宿主专用记号":             validate.ErrBatchToken,
		"批量消息嵌套超过 24 层":                        validate.ErrBatchDepth,
		"批量消息体超过 128000 字节":                    validate.ErrBatchBodyTooLarge,
		"批量消息体合计超过 256000 字节":                  validate.ErrBatchBodiesTooLarge,
		"批量消息须为 JSON 数组":                       validate.ErrBatchNotArray,
		"批量消息不得为空":                             validate.ErrBatchEmpty,
		"批量消息不得超过 100 条":                       validate.ErrBatchTooLong,
		"批量消息的每一项须为 JSON 对象":                   validate.ErrItemNotObject,
		"批量消息项缺少 body":                         validate.ErrItemNoBody,
		"批量消息项只允许 body 与 delaySeconds 两个字段":    validate.ErrItemField,
		"批量消息项的 delaySeconds 须为 0 至 43200 的整数": validate.ErrItemDelay,
	} {
		if d := cmp.Diff(want, err.Error()); d != "" {
			t.Error(d)
		}
	}
}

// Scanners are shared, one walk after the other; no walk sees another's.
func TestConcurrently(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for i := range 4 * len(groups) {
				for _, v := range groups[(i+n)%len(groups)].vectors {
					if len(v.text) > 10_000 {
						continue
					}
					got, err := validate.Canonical(nil, []byte(v.text), validate.MaxDepth)
					if err != v.err || string(got) != v.want {
						t.Errorf("%q: %q, %v", v.text, got, err)
					}
				}
			}
		})
	}
	wg.Wait()
}

// The memory of the text may be that of the result.
func TestBodyInPlace(t *testing.T) {
	t.Parallel()
	text := []byte(` { "b" : [ 1e20 , 1e20 ] , "1" : "\u0041" , "b" : [ 1e3 ] } `)
	got, err := validate.Body(text[:0], text)
	check(t, `{"1":"A","b":[1000]}`, nil, string(got), err)
}

// Long strings are checked with vectors where there is code for them.
func TestSonicIsNative(t *testing.T) {
	t.Parallel()
	if !native {
		t.Skip("sonic has no code for this processor")
	}
	if sonic.APIKind != sonic.UseSonicJSON {
		t.Error("sonic fell back to Go: its checks of UTF-8 are slow")
	}
}

func check(t *testing.T, want string, wantErr error, got string, err error) {
	t.Helper()
	if d := cmp.Diff(wantErr, err, cmpopts.EquateErrors()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%.2000s", d)
	}
}

// brief is a name for a case of the given text.
func brief(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%.50q of %d bytes", text, len(text))
	}
	return fmt.Sprintf("%q", text)
}
