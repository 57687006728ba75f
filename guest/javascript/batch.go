package javascript

import (
	"bytes"
	"context"
	"strconv"
)

// batch is the text that read_batch gave, taken apart into the texts of values:
// a script gets of it what it asks for, since making a value takes the
// interpreter far longer than finding its text takes here.
type batch struct {
	text     []byte
	queue    []byte
	messages []message
}

type message struct{ id, attempts, timestamp, body []byte }

// readBatch reads the event's batch, the first time it is asked for. It is not
// ok where read_batch threw or there is no room for it.
func (v *vm) readBatch(ctx context.Context) (err error) {
	b := &v.batch
	if len(b.text) > 0 {
		return nil
	}
	ptr, n, err := v.fetch(ctx, "read_batch")
	if err != nil {
		return err
	}
	b.text = append(b.text, v.view(ptr, n)...)
	v.release(ptr)
	b.split()
	return v.err
}

// forget makes room for the next event's batch.
func (b *batch) forget() {
	b.text, b.messages = b.text[:0], b.messages[:0]
}

// split finds the parts. The text is the host's own and canonical: it has no
// blanks, and its keys are always the same.
func (b *batch) split() {
	c := cursor{b.text}
	c.skip(`{"queue":`)
	b.queue = c.value()
	c.skip(`,"messages":[`)
	for len(c.rest) > 0 && c.rest[0] != ']' {
		var m message
		c.skip(`{"id":`)
		m.id = c.value()
		c.skip(`,"attempts":`)
		m.attempts = c.value()
		c.skip(`,"timestamp":`)
		m.timestamp = c.value()
		c.skip(`,"body":`)
		m.body = c.value()
		c.skip(`}`)
		if len(c.rest) > 0 && c.rest[0] == ',' {
			c.skip(`,`)
		}
		b.messages = append(b.messages, m)
	}
}

// cursor walks through a canonical JSON text.
type cursor struct{ rest []byte }

func (c *cursor) skip(text string) {
	c.rest = c.rest[min(len(text), len(c.rest)):]
}

// value takes a whole value off the text.
func (c *cursor) value() []byte {
	depth, at := 0, 0
	for at < len(c.rest) {
		switch c.rest[at] {
		case '"':
			at += quoted(c.rest[at:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth < 0 {
				return c.take(at)
			}
		case ',':
			if depth == 0 {
				return c.take(at)
			}
		}
		at++
	}
	return c.take(at)
}

func (c *cursor) take(n int) []byte {
	n = min(n, len(c.rest))
	v := c.rest[:n:n]
	c.rest = c.rest[n:]
	return v
}

// quoted is the length of the string that text begins with, quotes included.
func quoted(text []byte) int {
	at := 1
	for {
		n := bytes.IndexByte(text[min(at, len(text)):], '"')
		if n < 0 {
			return len(text)
		}
		end := at + n
		slashes := 0
		for text[end-1-slashes] == '\\' {
			slashes++
		}
		at = end + 1
		if slashes%2 == 0 {
			return at
		}
	}
}

// messageCount is the number of messages.
func (v *vm) messageCount(ctx context.Context) value {
	if err := v.readBatch(ctx); err != nil {
		return v.notRead(err)
	}
	return number(int32(len(v.batch.messages)))
}

// queueName is the name of the batch's queue.
func (v *vm) queueName(ctx context.Context) value {
	if err := v.readBatch(ctx); err != nil {
		return v.notRead(err)
	}
	return v.parseBytes(v.batch.queue)
}

// Of a message, by its index: the prelude has made an object for each there is,
// so the batch has been read.
const (
	messageID = iota
	messageAttempts
	messageTimestamp
	messageBody
)

// message is a part of the message that argument 0 says.
func (v *vm) message(part int) value {
	i, ok := v.integer(0)
	if !ok {
		return exception
	}
	if i < 0 || int(i) >= len(v.batch.messages) {
		return v.wrong()
	}
	m := v.batch.messages[i]
	switch part {
	case messageID:
		return v.parseBytes(m.id)
	case messageAttempts:
		return integerOf(m.attempts)
	case messageTimestamp:
		return integerOf(m.timestamp)
	}
	return v.parseBytes(m.body)
}

// parseBytes makes a value of a JSON text.
func (v *vm) parseBytes(text []byte) value {
	ptr := v.put(text)
	if ptr == 0 {
		return exception
	}
	defer v.release(ptr)
	return v.parse(ptr, uint32(len(text)))
}

// integerOf is a number of a text that is a whole number.
func integerOf(text []byte) value {
	n, _ := strconv.ParseInt(string(text), 10, 64)
	if int64(int32(n)) == n {
		return number(int32(n))
	}
	return double(float64(n))
}
