package validate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wazqueue/wazqueue/validate"
)

// message is a validate.Message that reads well.
type message struct {
	Body  string
	Delay time.Duration
}

func undelayed(texts ...string) (want []message) {
	for _, text := range texts {
		want = append(want, message{Body: text})
	}
	return want
}

// items is the text of a batch of n equal items.
func items(n int, item string) string {
	return "[" + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]"
}

// batches are texts of batches and what is in them.
var batches = []struct {
	name, text string
	want       []message
}{
	{"A-22 a body", `[{"body":{"a":1}}]`, undelayed(`{"a":1}`)},
	{"A-22 a delay", `[{"body":1,"delaySeconds":30}]`, []message{{"1", 30 * time.Second}}},
	{"A-22 a delay first", `[{"delaySeconds":43200,"body":1}]`, []message{{"1", validate.MaxDelay}}},
	{"A-23 no delay", `[{"body":1},{"body":2,"delaySeconds":0}]`, undelayed("1", "2")},
	{"A-10 every kind of body", `[{"body":null},{"body":true},{"body":"s"},{"body":-1.5},{"body":[]},{"body":{}}]`, undelayed(`null`, `true`, `"s"`, `-1.5`, `[]`, `{}`)},
	{"A-11 blanks and escapes", " [ { \"body\" : [ \"\\u0041\" , 1 ] , \"delaySeconds\" : 5 } , {\n\"body\"\t:\r2 } ] ", []message{{`["A",1]`, 5 * time.Second}, {"2", 0}}},
	{"A-12 canonical", `[{"body":{"b":1e2,"1":-0,"b":2e2}},{"body":9007199254740993}]`, undelayed(`{"1":0,"b":200}`, `9007199254740992`)},
	{"A-55 1 item", `[{"body":1}]`, undelayed("1")},
	{"A-24 A-55 100 items", items(100, `{"body":1}`), undelayed(strings.Split(strings.Repeat("1", 100), "")...)},
	{"A-57 brackets in strings", `[{"body":"],["},{"body":"{\"body\":1}"},{"body":{"body":"\\\"]}"}},{"body":["\\"]}]`, undelayed(`"],["`, `"{\"body\":1}"`, `{"body":"\\\"]}"}`, `["\\"]`)},
	{"escaped names", `[{"\u0062ody":1,"\u0064elaySecond\u0073":2}]`, []message{{"1", 2 * time.Second}}},
	{"equal names: the last counts", `[{"body":[1,2,3],"delaySeconds":1,"b\u006fdy":"x","delaySeconds":2},{"body":0}]`, []message{{`"x"`, 2 * time.Second}, {"0", 0}}},
	{"equal names: the last delay may be none", `[{"body":1,"delaySeconds":1,"delaySeconds":0}]`, undelayed("1")},
	{"equal names: only the last body has a size", `[{"body":` + strings.Repeat(`"`+fill(100_000)+`","body":`, 5) + `1}]`, undelayed("1")},
	{"integers by value", `[{"body":1,"delaySeconds":5.0},{"body":2,"delaySeconds":1e1},{"body":3,"delaySeconds":-0},{"body":4,"delaySeconds":432000e-1},{"body":5,"delaySeconds":1e-999}]`,
		[]message{{"1", 5 * time.Second}, {"2", 10 * time.Second}, {"3", 0}, {"4", validate.MaxDelay}, {"5", 0}}},
	{"A-15 24 levels in each body", `[{"body":` + nested(24, "") + `},{"body":` + nested(24, "1") + `}]`, undelayed(nested(24, ""), nested(24, "1"))},
	{"A-17 a token that is a value", `[{"body":"$句柄"}]`, undelayed(`"$句柄"`)},
	{"A-25 a body of 128000 bytes", items(1, `{"body":"`+fill(127_998)+`"}`), undelayed(`"` + fill(127_998) + `"`)},
	{"A-25 bodies of 256000 bytes", items(2, `{"body":"`+fill(127_998)+`"}`), undelayed(`"`+fill(127_998)+`"`, `"`+fill(127_998)+`"`)},
	{"A-26 a text of 1 MiB", `[{"body":1}` + strings.Repeat(" ", 1<<20-12) + `]`, undelayed("1")},
	{"larger before an equal name drops it", `[{"body":{"a":` + spread(5900) + `1],"a":1}}]`, undelayed(`{"a":1}`)},
}

func TestBatch(t *testing.T) {
	t.Parallel()
	for _, tt := range batches {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			list, err := validate.Batch([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			var got []message
			for _, m := range list {
				got = append(got, message{string(m.Body), m.Delay})
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// large is a body of 128001 bytes, half an item whose body has 128000.
var (
	large = `"` + fill(127_999) + `"`
	half  = `{"body":"` + fill(127_998) + `"}`
)

// badBatches are texts of batches and the first thing wrong with each.
var badBatches = []struct {
	name, text string
	want       error
}{
	{"A-26 a text over 1 MiB", `[{"body":1}` + strings.Repeat(" ", 1<<20-11) + `]`, validate.ErrBatchTooLarge},
	{"first: the text's size, then syntax", strings.Repeat("x", 1<<20+1), validate.ErrBatchTooLarge},

	{"A-22 nothing", ``, validate.ErrBatchSyntax},
	{"A-22 blanks", " \n", validate.ErrBatchSyntax},
	{"A-22 not an array", `{"body":1}`, validate.ErrBatchNotArray},
	{"A-22 not an array: a string", `"`, validate.ErrBatchNotArray},
	{"A-22 not an array: a number", ` -`, validate.ErrBatchNotArray},
	{"A-22 not an array: a digit", `7`, validate.ErrBatchNotArray},
	{"A-22 not an array: true", `t`, validate.ErrBatchNotArray},
	{"A-22 not an array: false", `fx`, validate.ErrBatchNotArray},
	{"A-22 not an array: null", `nul`, validate.ErrBatchNotArray},
	{"A-22 not JSON", `x`, validate.ErrBatchSyntax},
	{"A-22 a byte order mark", "\uFEFF[]", validate.ErrBatchSyntax},
	{"A-22 a closing bracket", `]`, validate.ErrBatchSyntax},

	{"A-24 A-55 0 items", `[]`, validate.ErrBatchEmpty},
	{"first: empty, then what follows", ` [ ]x`, validate.ErrBatchEmpty},
	{"A-24 A-55 101 items", items(101, `{"body":1}`), validate.ErrBatchTooLong},
	{"A-24 the 101st item is judged at its first byte", items(100, `{"body":1}`)[:1100] + `,{`, validate.ErrBatchTooLong},
	{"A-24 the 101st item of the wrong kind", items(100, `{"body":1}`)[:1100] + `, nul`, validate.ErrBatchTooLong},
	{"A-24 no 101st item", items(100, `{"body":1}`)[:1100] + `,]`, validate.ErrBatchSyntax},
	{"first: an error in the 100th item, then the 101st", items(99, `{"body":1}`)[:1089] + `,{"x":1},{}]`, validate.ErrItemField},

	{"A-22 an item of the wrong kind", `[1]`, validate.ErrItemNotObject},
	{"A-22 an item of the wrong kind: an array", `[[`, validate.ErrItemNotObject},
	{"A-22 an item of the wrong kind: null", `[nulx]`, validate.ErrItemNotObject},
	{"A-22 an item of the wrong kind: a string", `[{"body":1}, "\q"]`, validate.ErrItemNotObject},
	{"no item", `[,]`, validate.ErrBatchSyntax},
	{"no item after a comma", `[{"body":1},]`, validate.ErrBatchSyntax},
	{"no item but a byte", "[\xFF]", validate.ErrBatchSyntax},
	{"no end", `[{"body":1}`, validate.ErrBatchSyntax},
	{"the end of an item only", `[{"body":1`, validate.ErrBatchSyntax},
	{"more than an array", `[{"body":1}]]`, validate.ErrBatchSyntax},
	{"two items without a comma", `[{"body":1}{"body":1}]`, validate.ErrBatchSyntax},

	{"A-23 A-56 contentType", `[{"body":1,"contentType":"json"}]`, validate.ErrItemField},
	{"A-23 another case", `[{"Body":1}]`, validate.ErrItemField},
	{"A-23 an empty name", `[{"":1}]`, validate.ErrItemField},
	{"first: a field, then its value", `[{"x":\}]`, validate.ErrItemField},
	{"first: a field, then its colon", `[{"x"]`, validate.ErrItemField},
	{"first: a name's syntax, then the field", "[{\"x\xFF\":1}]", validate.ErrBatchSyntax},
	{"first: a name's syntax, then the field: no end", `[{"x`, validate.ErrBatchSyntax},
	{"a name is judged as a token first A-17", `[{"$句柄":1}]`, validate.ErrBatchToken},
	{"a name is judged as a token first A-18", `[{"body":1,"\u0024\u53e5柄"`, validate.ErrBatchToken},
	{"not a name", `[{body:1}]`, validate.ErrBatchSyntax},
	{"no name after a comma", `[{"body":1,}]`, validate.ErrBatchSyntax},
	{"no colon", `[{"body" 1}]`, validate.ErrBatchSyntax},
	{"no comma", `[{"body":1 "delaySeconds":1}]`, validate.ErrBatchSyntax},

	{"A-56 no body", `[{"delaySeconds":1}]`, validate.ErrItemNoBody},
	{"A-56 no body: an empty item", `[{ }]`, validate.ErrItemNoBody},
	{"first: a missing body at its brace, then what follows", `[{}x`, validate.ErrItemNoBody},
	{"first: a delay, then a missing body", `[{"delaySeconds":-1}]`, validate.ErrItemDelay},
	{"first: syntax, then a missing body", `[{"delaySeconds":1,}]`, validate.ErrBatchSyntax},

	{"A-56 a delay of 1.5", `[{"body":1,"delaySeconds":1.5}]`, validate.ErrItemDelay},
	{"A-22 a delay of -1", `[{"body":1,"delaySeconds":-1}]`, validate.ErrItemDelay},
	{"A-22 a delay of 43201", `[{"body":1,"delaySeconds":43201}]`, validate.ErrItemDelay},
	{"A-22 a delay of 1e300", `[{"body":1,"delaySeconds":1e300}]`, validate.ErrItemDelay},
	{"a delay that overflows is a delay A-19", `[{"body":1,"delaySeconds":1e999}]`, validate.ErrItemDelay},
	{"a delay below a second", `[{"body":1,"delaySeconds":1e-9}]`, validate.ErrItemDelay},
	{"null is not absence", `[{"body":1,"delaySeconds":null}]`, validate.ErrItemDelay},
	{"a delay of the wrong kind: broken null", `[{"body":1,"delaySeconds":nul`, validate.ErrItemDelay},
	{"a delay of the wrong kind: a string", `[{"body":1,"delaySeconds":"5`, validate.ErrItemDelay},
	{"a delay of the wrong kind: an array", `[{"body":1,"delaySeconds": [}`, validate.ErrItemDelay},
	{"a delay of the wrong kind: a token", `[{"body":1,"delaySeconds":{"$句柄":1}}]`, validate.ErrItemDelay},
	{"no delay", `[{"body":1,"delaySeconds":}]`, validate.ErrBatchSyntax},
	{"no delay but a byte", "[{\"body\":1,\"delaySeconds\":\xFF}]", validate.ErrBatchSyntax},
	{"first: a delay at its end, then what follows", `[{"delaySeconds":43201x`, validate.ErrItemDelay},
	{"a delay without an end: point", `[{"delaySeconds":43201.x`, validate.ErrBatchSyntax},
	{"a delay without an end: exponent", `[{"delaySeconds":43201e`, validate.ErrBatchSyntax},
	{"a delay without a digit", `[{"delaySeconds":-x`, validate.ErrBatchSyntax},
	{"a delay with a zero before it", `[{"body":1,"delaySeconds":01}]`, validate.ErrBatchSyntax},
	{"a delay that an equal name would drop", `[{"body":1,"delaySeconds":1.5,"delaySeconds":1}]`, validate.ErrItemDelay},

	{"A-53 a body's syntax", `[{"body":{}`, validate.ErrBatchSyntax},
	{"A-53 no body's syntax", `[{"body":}]`, validate.ErrBatchSyntax},
	{"a body's UTF-8", "[{\"body\":\"\xC0\xAF\"}]", validate.ErrBatchSyntax},
	{"A-17 A-53 a token", `[{"body":[{"$数字":"1"}]}]`, validate.ErrBatchToken},
	{"A-19 A-53 overflow", `[{"body":1e999}]`, validate.ErrBatchToken},
	{"A-15 25 levels", `[{"body":` + nested(24, "") + `},{"body":` + nested(25, "") + `}]`, validate.ErrBatchDepth},
	{"a body that an equal name would drop: token", `[{"body":{"$句柄":1},"body":1}]`, validate.ErrBatchToken},
	{"a body that an equal name would drop: depth", `[{"body":` + nested(25, "") + `,"body":1}]`, validate.ErrBatchDepth},
	{"a body that an equal name would drop: size", `[{"body":` + large + `,"body":1}]`, validate.ErrBatchBodyTooLarge},

	{"A-25 a body of 128001 bytes", `[{"body":` + large + `}]`, validate.ErrBatchBodyTooLarge},
	{"A-25 a body of 128001 bytes in canonical form", `[{"body":` + spread(5818) + `123]}]`, validate.ErrBatchBodyTooLarge},
	{"A-25 bodies of 256001 bytes", `[` + half + `,` + half + `,{"body":1}]`, validate.ErrBatchBodiesTooLarge},
	{"first: a body's size at its end, then what follows", `[{"body":` + large + `x`, validate.ErrBatchBodyTooLarge},
	{"first: all sizes at a body's end, then what follows", `[` + half + `,` + half + `,{"body":1x`, validate.ErrBatchBodiesTooLarge},
	{"first: a body's own size, then that of all", `[` + half + `,` + half + `,{"body":` + large, validate.ErrBatchBodyTooLarge},
	{"first: syntax inside, then a body's size", `[{"body":[` + large + `x]}]`, validate.ErrBatchSyntax},
	{"first: a delay, then a body's size", `[{"delaySeconds":-1,"body":` + large + `}]`, validate.ErrItemDelay},
	{"first: a body's size, then a delay", `[{"body":` + large + `,"delaySeconds":-1}]`, validate.ErrBatchBodyTooLarge},
	{"first: all sizes, then a field", `[` + half + `,` + half + `,{"body":1,"x":1}]`, validate.ErrBatchBodiesTooLarge},
	{"A-27 one bad item of many", items(50, `{"body":1}`)[:550] + `,{"body":1,"delaySeconds":43201}]`, validate.ErrItemDelay},
}

func TestBatchErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range badBatches {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := validate.Batch([]byte(tt.text))
			if d := cmp.Diff(tt.want, err, cmpopts.EquateErrors()); d != "" {
				t.Error(d)
			}
			if got != nil {
				t.Errorf("%d messages with an error", len(got))
			}
		})
	}
}

// The bodies share memory, but not in a way that shows.
func TestBatchBodiesAreApart(t *testing.T) {
	t.Parallel()
	text := []byte(`[{"body":"one"},{"body":"two"}]`)
	list, err := validate.Batch(text)
	if err != nil {
		t.Fatal(err)
	}
	clear(text)
	if _, err := validate.Batch([]byte(`[{"body":"elsewhere"}]`)); err != nil {
		t.Fatal(err)
	}
	_ = append(list[0].Body, "more"...)
	if d := cmp.Diff(`"two"`, string(list[1].Body)); d != "" {
		t.Error(d)
	}
}
