package validate_test

import (
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/validate"
)

// answer is what became of a text: the name of an error, or a result.
type answer struct{ Error, Result string }

// names are the oracle's for the errors.
var names = map[error]string{
	validate.ErrSyntax: "Syntax", validate.ErrToken: "Token", validate.ErrDepth: "Depth",

	validate.ErrBodyTooLarge: "BodyTooLarge", validate.ErrBodySyntax: "Syntax",
	validate.ErrBodyToken: "Token", validate.ErrBodyDepth: "Depth",

	validate.ErrBatchTooLarge: "BatchTooLarge", validate.ErrBatchSyntax: "Syntax",
	validate.ErrBatchToken: "Token", validate.ErrBatchDepth: "Depth",
	validate.ErrBatchBodyTooLarge: "OneTooLarge", validate.ErrBatchBodiesTooLarge: "AllTooLarge",
	validate.ErrBatchNotArray: "NotArray", validate.ErrBatchEmpty: "Empty", validate.ErrBatchTooLong: "TooLong",
	validate.ErrItemNotObject: "NotObject", validate.ErrItemNoBody: "NoBody",
	validate.ErrItemField: "Field", validate.ErrItemDelay: "Delay",
}

// ours answers a request as testdata/oracle.js does.
func ours(request []byte) answer {
	text := request[1:]
	var result []byte
	var err error
	switch request[0] {
	case 'C':
		result, err = validate.Canonical(nil, text[1:], int(text[0]))
	case 'B':
		result, err = validate.Body(nil, text)
	case 'A':
		var list []validate.Message
		list, err = validate.Batch(text)
		if err == nil {
			result = rows(list)
		}
	case 'S':
		result = validate.AppendString(nil, string(text))
	}
	if err != nil {
		return answer{Error: names[err]}
	}
	return answer{Result: string(result)}
}

// rows is [[delay, body], ...], canonical.
func rows(list []validate.Message) []byte {
	b := []byte{'['}
	for i, m := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, '['), int64(m.Delay/time.Second), 10)
		b = append(validate.AppendString(append(b, ','), string(m.Body)), ']')
	}
	return append(b, ']')
}

// V8 is the oracle for what is accepted and for every byte of the result
// the reference's rules once more for which error is the first.
func TestDifferential(t *testing.T) {
	t.Parallel()
	oracle := startNode(t)
	count, seed := differential(t)
	g := newGenerator(seed)
	for done := 0; done < count; {
		var requests [][]byte
		for size := 0; size < 1<<18 && done < count; done++ {
			r := g.request()
			requests = append(requests, r)
			size += len(r)
		}
		want, err := oracle.ask(requests)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range requests {
			if d := cmp.Diff(want[i], ours(r)); d != "" {
				t.Fatalf("WAZQUEUE_SEED=%d: %.2000q: -V8 +ours\n%s", seed, r, d)
			}
		}
	}
}

// Without Node there is still an oracle for what is JSON.
func TestAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	count, seed := differential(t)
	g := newGenerator(seed + 1)
	for range count {
		text := g.text()
		_, err := validate.Canonical(nil, text, 100)
		valid := utf8.Valid(text) && json.Valid(text)
		if valid && errors.Is(err, validate.ErrSyntax) || !valid && err == nil {
			t.Fatalf("WAZQUEUE_SEED=%d: %.2000q: %v, want valid = %t", seed, text, err, valid)
		}
	}
}

// differential is how many texts to try, and the seed they come from.
func differential(t *testing.T) (count int, seed uint64) {
	number := func(variable string, otherwise uint64) uint64 {
		value, ok := os.LookupEnv(variable)
		if !ok {
			return otherwise
		}
		n, err := strconv.ParseUint(value, 10, 64)
		if err != nil {
			t.Fatalf("%s: %v", variable, err)
		}
		return n
	}
	count = int(number("WAZQUEUE_DIFFERENTIAL", 20_000))
	return count, number("WAZQUEUE_SEED", rand.Uint64())
}
