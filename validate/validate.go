// Package validate is the gate that a message's text passes on its way from a
// guest to a queue: strict JSON in, canonical JSON out, or an error whose text
// is fixed.
//
// Canonical is what V8's JSON.stringify(JSON.parse(text)) gives, byte for byte:
// no blanks, one way to write each string and number, array indexes first and
// ascending among an object's names, of equal names the last value in the first
// place. A text is read once, from left to right, and the first violation met
// is the one reported.
//
// The package imports nothing else of this project, does no I/O and keeps no
// text: results are written to memory of the caller's or of their own.
package validate

import "time"

// The limits of messages. Sizes are UTF-8 bytes; an array or an object is one
// level.
const (
	MaxBody        = 128_000              // of a body, as it came and in canonical form
	MaxDepth       = 24                   // levels of a body
	MaxBatchText   = 1 << 20              // of a batch's text
	MaxBatch       = 100                  // messages of a batch
	MaxBatchBodies = 256_000              // of all canonical bodies of a batch
	MaxDelay       = 43_200 * time.Second // of a message
)

// Body appends the canonical form of one message body, any JSON value,
// to dst and returns the longer slice. With an error it returns dst as it was;
// what lies between its length and its capacity may have changed.
//
// The errors are ErrBodyTooLarge, for the text and for its canonical form,
// ErrBodySyntax, ErrBodyToken and ErrBodyDepth. The size of the text is judged
// first, that of the canonical form where the value ends.
//
// dst may share memory with text: Body(text[:0], text) works in place. Nothing
// is allocated if dst has room for the canonical form and for what it is before
// duplicate names are dropped, which is hardly ever more than len(text) and
// never more than 21/4 of it: 1e20 becomes 100000000000000000000.
func Body(dst, text []byte) ([]byte, error) {
	if len(text) > MaxBody {
		return dst, ErrBodyTooLarge
	}
	s := borrow()
	defer s.giveBack()
	s.start(dst, text, MaxDepth)
	i := s.value(0)
	if i < 0 {
		return dst, bodyError(s.err)
	}
	if s.offset(i)-len(dst) > MaxBody {
		return dst, ErrBodyTooLarge
	}
	if s.end(i) < 0 {
		return dst, bodyError(s.err)
	}
	return s.out, nil
}

// Canonical is Body for a text of any size that is nested at most depth levels.
// Its errors are ErrSyntax, ErrToken and ErrDepth.
func Canonical(dst, text []byte, depth int) ([]byte, error) {
	s := borrow()
	defer s.giveBack()
	s.start(dst, text, depth)
	if s.end(s.value(0)) < 0 {
		return dst, s.err
	}
	return s.out, nil
}
