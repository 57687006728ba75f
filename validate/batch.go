package validate

import "time"

// Message is one message of a batch.
type Message struct {
	Body  []byte        // canonical JSON, at most MaxBody bytes
	Delay time.Duration // whole seconds up to MaxDelay; 0: none
}

// Batch reads the text of a batch, a JSON array of 1 to MaxBatch items
//
//	{"body": any JSON value, "delaySeconds": integer from 0 to 43200}
//
// of which delaySeconds may be left out. All of it is judged
// before anything is returned: with an error there are no messages.
//
// The size of the text is judged first, the rest from left to right, whatever
// is wrong first: a value of the wrong kind at its first byte; a name at its
// closing quote; a delay at its end; the canonical size of a body where the
// body ends, its own before that of all so far; a missing body at the brace
// that ends the item. Of equal names the last counts, but the values of the
// others must be right as well. A delay is an integer by value: 5.0, 1e1 and
// -0 are, null is not.
//
// The errors are those named ErrBatch and ErrItem. The bodies share one
// allocation; appending to one does not reach the next.
func Batch(text []byte) ([]Message, error) {
	if len(text) > MaxBatchText {
		return nil, ErrBatchTooLarge
	}
	s := borrow()
	defer s.giveBack()
	s.start(s.bodies[:0], text, MaxDepth)
	s.items = s.items[:0]
	i := s.batch()
	s.bodies = s.out
	if i < 0 {
		return nil, batchError(s.err)
	}
	return s.messages(), nil
}

// messages are the items with memory of their own.
func (s *scanner) messages() []Message {
	bodies := append([]byte(nil), s.out...)
	list := make([]Message, len(s.items))
	start := 0
	for i, it := range s.items {
		list[i] = Message{bodies[start:it.end:it.end], it.delay}
		start = it.end
	}
	return list
}

// batch walks over the text of a batch. Outside the bodies nothing is output,
// so it steps over blanks itself, and sets mark where a body starts.
func (s *scanner) batch() int {
	i := s.src.skip(0)
	if s.src.at(i) != '[' {
		return s.wrongKind(i, ErrBatchNotArray)
	}
	i = s.src.skip(i + 1)
	if s.src.at(i) == ']' {
		return s.fail(ErrBatchEmpty)
	}
	for {
		if i = s.item(i); i < 0 {
			return failed
		}
		i = s.src.skip(i)
		switch s.src.at(i) {
		case ',':
			i = s.src.skip(i + 1)
		case ']':
			if i = s.src.skip(i + 1); i < s.src.size() {
				return s.fail(ErrSyntax)
			}
			return i
		default:
			return s.fail(ErrSyntax)
		}
	}
}

// wrongKind fails for the byte at i: by err if a JSON value can begin with it.
func (s *scanner) wrongKind(i int, err error) int {
	switch c := s.src.at(i); c {
	case '{', '[', '"', '-', 't', 'f', 'n':
		return s.fail(err)
	default:
		if isDigit(c) {
			return s.fail(err)
		}
		return s.fail(ErrSyntax)
	}
}
