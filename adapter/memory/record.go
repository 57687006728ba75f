package memory

import (
	"encoding/binary"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// record is what one send brought, or a part of it: messages that have their
// past and their state in common. It is leased whole and split only where its
// messages part. Each is in exactly one place: its queue's ready list, or the
// heap of the delayed or of the leased ones.
type record struct {
	packed
	in       set // those of the packed messages that are here
	size     int // the sum of their bodies' lengths
	attempts int // deliveries so far, that of a running lease included
	origin   *adapter.Origin

	state state
	dated bool  // it is in the queue's list of ages
	aged  bool  // it is leased and its retention has passed: it does not count
	base  int64 // the moment that retention counts from
	due   int64 // when it became ready, is due, or its lease ends
	at    int   // its place in a heap

	// A lease's key stays when its time has passed, until the record is
	// leased again (B-53). Several records have one key where Extend parted
	// them.
	key  uint64
	twin *record

	byReady, byAge link
}

// state is where a record is. A lease that has run out makes it ready.
type state uint8

const (
	ready state = iota
	delayed
	leased
)

// packed are messages as they were sent, in one allocation that never
// changes: a type for each, then where each body ends, then the bodies. One
// message alone has no ends.
type packed struct {
	data     []byte
	n        int
	number   uint64 // of the first
	enqueued int64  // Unix milliseconds
}

const endLen = 4

func headLen(n int) int {
	if n == 1 {
		return 1
	}
	return n * (1 + endLen)
}

func pack(msgs []adapter.Message, size int, enqueued int64) packed {
	n := len(msgs)
	data := make([]byte, 0, headLen(n)+size)
	for i := range msgs {
		data = append(data, byte(msgs[i].Type))
	}
	if n > 1 {
		end := 0
		for i := range msgs {
			end += len(msgs[i].Body)
			data = binary.LittleEndian.AppendUint32(data, uint32(end))
		}
	}
	for i := range msgs {
		data = append(data, msgs[i].Body...)
	}
	return packed{data: data, n: n, enqueued: enqueued}
}

func (p *packed) kind(i int) adapter.ContentType { return adapter.ContentType(p.data[i]) }

// bounds are where body i begins and ends in data.
func (p *packed) bounds(i int) (from, to int) {
	head := headLen(p.n)
	if p.n == 1 {
		return head, len(p.data)
	}
	if i > 0 {
		from = p.end(i - 1)
	}
	return head + from, head + p.end(i)
}

func (p *packed) end(i int) int {
	return int(binary.LittleEndian.Uint32(p.data[p.n+endLen*i:]))
}

// body has no room behind it, so that appending to it spoils no other.
func (p *packed) body(i int) []byte {
	from, to := p.bounds(i)
	return p.data[from:to:to]
}

func (p *packed) len(i int) int {
	from, to := p.bounds(i)
	return to - from
}

// part returns a record like r with none of its messages, in no place.
func (r *record) part() *record {
	return &record{packed: r.packed, attempts: r.attempts, origin: r.origin, base: r.base, due: r.due}
}

// end is when r's retention has passed.
func (r *record) end(keep time.Duration) int64 { return after(r.base, keep) }

// compact copies the bodies where few of the packed are left, lest a message
// that stays for days holds all that were sent with it. The others keep their
// places, with empty bodies.
func (r *record) compact() {
	head := headLen(r.n)
	if r.n == 1 || head+r.size > len(r.data)/2 {
		return
	}
	data := make([]byte, head, head+r.size)
	copy(data, r.data[:r.n])
	for i := range r.n {
		if r.in.has(i) {
			data = append(data, r.body(i)...)
		}
		binary.LittleEndian.PutUint32(data[r.n+endLen*i:], uint32(len(data)-head))
	}
	r.data = data
}
