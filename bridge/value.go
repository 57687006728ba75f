package bridge

import (
	"errors"
	"unicode/utf8"

	"github.com/wazqueue/wazqueue/validate"
)

// MaxDepth is how many levels of arrays and objects a JSON value that crosses
// the bridge may have, in either direction.
const MaxDepth = 32

// ErrNotValue says that bytes are not a JSON value that may cross the bridge:
// not JSON, not UTF-8, a number without a finite value, or an object that
// would forge a host value.
var ErrNotValue = errors.New("not a JSON value")

// AppendJSON appends the canonical form of a JSON text, counting its depth
// from the value itself. It fails with ErrNotValue, or ErrTooDeep beyond
// MaxDepth, whichever is met first; dst is then returned as it was.
func AppendJSON(dst, text []byte) ([]byte, error) {
	out, err := validate.Canonical(dst, text, MaxDepth)
	switch {
	case err == nil:
		return out, nil
	case errors.Is(err, validate.ErrDepth):
		return dst, ErrTooDeep
	}
	return dst, ErrNotValue
}

// AppendText appends plain text as a JSON string, or fails with ErrNotValue
// where it is not UTF-8.
func AppendText(dst, text []byte) ([]byte, error) {
	if !utf8.Valid(text) {
		return dst, ErrNotValue
	}
	return validate.AppendString(dst, string(text)), nil
}
