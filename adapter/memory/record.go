package memory

import (
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

// packed are messages as they were sent: all their types and bodies in one
// allocation. What is written there never changes; single sends may go on
// behind it.
type packed struct {
	data     []byte   // each message's type and body
	ends     []uint32 // where each ends in data; nil where there is one only
	number   uint64   // of the first
	enqueued int64    // Unix milliseconds
}

func pack(msgs []adapter.Message, size int, enqueued int64) packed {
	p := packed{data: make([]byte, 0, len(msgs)+size), enqueued: enqueued}
	if len(msgs) > 1 {
		p.ends = make([]uint32, 0, len(msgs))
	}
	for i := range msgs {
		p.data = append(append(p.data, byte(msgs[i].Type)), msgs[i].Body...)
		if len(msgs) > 1 {
			p.ends = append(p.ends, uint32(len(p.data)))
		}
	}
	return p
}

// join packs one message more.
func (p *packed) join(m *adapter.Message) {
	if p.ends == nil && len(p.data) > 0 {
		p.ends = append(p.ends, uint32(len(p.data)))
	}
	p.data = append(append(p.data, byte(m.Type)), m.Body...)
	if p.ends != nil {
		p.ends = append(p.ends, uint32(len(p.data)))
	}
}

// count is how many there are.
func (p *packed) count() int { return max(1, len(p.ends)) }

// bounds are where message i begins and ends in data.
func (p *packed) bounds(i int) (from, to int) {
	if len(p.ends) == 0 {
		return 0, len(p.data)
	}
	if i > 0 {
		from = int(p.ends[i-1])
	}
	return from, int(p.ends[i])
}

func (p *packed) kind(i int) adapter.ContentType {
	from, _ := p.bounds(i)
	return adapter.ContentType(p.data[from])
}

// body has no room behind it, so that appending to it spoils no other.
func (p *packed) body(i int) []byte {
	from, to := p.bounds(i)
	return p.data[from+1 : to : to]
}

func (p *packed) len(i int) int {
	from, to := p.bounds(i)
	return to - from - 1
}

// part returns a record like r with none of its messages, in no place.
func (r *record) part() *record {
	return &record{packed: r.packed, attempts: r.attempts, origin: r.origin, base: r.base, due: r.due}
}

// end is when r's retention has passed.
func (r *record) end(keep time.Duration) int64 { return after(r.base, keep) }

// compact copies the bodies where few of the packed are left, lest a message
// that stays for days holds all that were sent with it. The others keep their
// places, with nothing in them.
func (r *record) compact() {
	if len(r.ends) == 0 || r.size > len(r.data)/2 {
		return
	}
	data := make([]byte, 0, r.in.len()+r.size)
	ends := make([]uint32, r.count())
	for i := range ends {
		if r.in.has(i) {
			from, to := r.bounds(i)
			data = append(data, r.data[from:to]...)
		}
		ends[i] = uint32(len(data))
	}
	r.data, r.ends = data, ends
}
