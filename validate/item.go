package validate

import (
	"math"
	"strconv"
	"time"
)

// item is one item of a batch. Its canonical body is the output from the
// previous item's end to its own.
type item struct {
	end   int
	delay time.Duration
	body  bool // there was one
}

// item walks over the item at i of a batch.
func (s *scanner) item(i int) int {
	if len(s.items) == MaxBatch {
		return s.wrongKind(i, ErrBatchTooLong)
	}
	if s.src.at(i) != '{' {
		return s.wrongKind(i, ErrItemNotObject)
	}
	it := item{end: len(s.out)}
	i = s.src.skip(i + 1)
	if s.src.at(i) == '}' {
		return s.fail(ErrItemNoBody)
	}
	for {
		if i = s.field(&it, i); i < 0 {
			return failed
		}
		i = s.src.skip(i)
		switch s.src.at(i) {
		case ',':
			i = s.src.skip(i + 1)
		case '}':
			if !it.body {
				return s.fail(ErrItemNoBody)
			}
			s.items = append(s.items, it)
			return i + 1
		default:
			return s.fail(ErrSyntax)
		}
	}
}

// field walks over a name of an item, its colon and its value.
func (s *scanner) field(it *item, i int) int {
	if s.src.at(i) != '"' {
		return s.fail(ErrSyntax)
	}
	s.mark = i
	i, name := s.name(i)
	if i < 0 {
		return failed
	}
	body := string(name) == "body"
	if !body && string(name) != "delaySeconds" {
		if isToken(name) {
			return s.fail(ErrToken)
		}
		return s.fail(ErrItemField)
	}
	s.out = s.out[:it.end] // without what name may have written
	i = s.src.skip(i)
	if s.src.at(i) != ':' {
		return s.fail(ErrSyntax)
	}
	i = s.src.skip(i + 1)
	if body {
		return s.body(it, i)
	}
	return s.delay(it, i)
}

// body walks over the body of an item and writes it, in place of an earlier
// one.
func (s *scanner) body(it *item, i int) int {
	start := 0
	if n := len(s.items); n > 0 {
		start = s.items[n-1].end
	}
	s.out, s.mark = s.out[:start], i
	if i = s.value(i); i < 0 {
		return failed
	}
	s.flush(i)
	it.end, it.body = len(s.out), true
	switch {
	case it.end-start > MaxBody:
		return s.fail(ErrBatchBodyTooLarge)
	case it.end > MaxBatchBodies:
		return s.fail(ErrBatchBodiesTooLarge)
	}
	return i
}

// delay walks over the delaySeconds of an item.
func (s *scanner) delay(it *item, i int) int {
	if c := s.src.at(i); !isDigit(c) && c != '-' {
		return s.wrongKind(i, ErrItemDelay)
	}
	end, _ := s.numeral(i)
	if end < 0 {
		return failed
	}
	seconds, err := strconv.ParseFloat(stringOf(s.src[i:end]), 64)
	if err != nil || seconds < 0 || seconds > MaxDelay.Seconds() || seconds != math.Trunc(seconds) {
		return s.fail(ErrItemDelay)
	}
	it.delay = time.Duration(seconds) * time.Second
	return end
}
