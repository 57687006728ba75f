package sqlite

import (
	"encoding/binary"
	"encoding/hex"
	"errors"

	"github.com/wazqueue/wazqueue/adapter"
)

// identity is what a record's ids are made of: the random number its messages
// were stored under first. It goes with them into other records and queues.
type identity [16]byte

// idLen is the length of an id.
const idLen = 2 * len(identity{})

// appendID appends the id of the message with this index: the identity with
// the index added to its last four bytes, which differs for each index.
func (id identity) appendID(dst []byte, index int) []byte {
	low := binary.BigEndian.Uint32(id[12:])
	binary.BigEndian.PutUint32(id[12:], low+uint32(index))
	return hex.AppendEncode(dst, id[:])
}

// indexOf is the index whose id this is, if it is one of this identity's.
func (id identity) indexOf(other identity) (int, bool) {
	if [12]byte(id[:12]) != [12]byte(other[:12]) {
		return 0, false
	}
	return int(binary.BigEndian.Uint32(other[12:]) - binary.BigEndian.Uint32(id[12:])), true
}

// record is the unit of storing, leasing and settling: one message with its
// body, or a run of messages whose bodies lie in a chunk. What all of them
// share is here once.
type record struct {
	attempts int   // leases that counted
	enqueued int64 // first enqueue, in milliseconds
	entered  int64 // entry into this queue, in milliseconds
	identity identity
	first    int // index of the first message in the identity
	bytes    int64
	origin   adapter.Origin

	chunk  int64 // key of the bodies' chunk, 0 for a body that is here
	lo, hi int   // the messages' places in the chunk
	total  int   // how many messages the chunk has

	typ  adapter.ContentType
	body []byte
}

func (r *record) len() int {
	if r.chunk == 0 {
		return 1
	}
	return r.hi - r.lo
}

// The first byte of an encoded record says what is in it. Bits not named here
// are for what later versions add; a record that has one is not understood,
// and says so.
const (
	hasBody   = 1 << iota // type and body instead of a place in a chunk
	hasOrigin             // it was moved
	knownBits = hasBody | hasOrigin
)

var (
	errDamaged = errors.New("damaged record")
	errNewer   = errors.New("record of a newer version")
)

// append appends r in its stored form.
func (r *record) append(b []byte) []byte {
	flags := byte(0)
	if r.chunk == 0 {
		flags |= hasBody
	}
	if r.origin != (adapter.Origin{}) {
		flags |= hasOrigin
	}
	b = append(b, flags)
	b = append(b, r.identity[:]...)
	b = binary.AppendUvarint(b, uint64(r.first))
	b = binary.AppendUvarint(b, uint64(r.attempts))
	b = binary.AppendUvarint(b, uint64(r.enqueued))
	b = binary.AppendUvarint(b, uint64(r.entered))
	if flags&hasOrigin != 0 {
		b = binary.AppendUvarint(b, uint64(len(r.origin.Queue)))
		b = append(b, r.origin.Queue...)
		b = binary.AppendUvarint(b, uint64(r.origin.Attempts))
	}
	if flags&hasBody != 0 {
		b = append(b, byte(r.typ))
		b = binary.AppendUvarint(b, uint64(len(r.body)))
		return append(b, r.body...)
	}
	b = binary.AppendUvarint(b, uint64(r.chunk))
	b = binary.AppendUvarint(b, uint64(r.lo))
	b = binary.AppendUvarint(b, uint64(r.hi))
	b = binary.AppendUvarint(b, uint64(r.total))
	return binary.AppendUvarint(b, uint64(r.bytes))
}

// parser reads what append wrote. It notes the first thing that is wrong.
type parser struct {
	b   []byte
	err error
}

func (p *parser) fail(err error) {
	if p.err == nil {
		p.err = err
	}
	p.b = nil
}

func (p *parser) uvarint(limit uint64) uint64 {
	v, n := binary.Uvarint(p.b)
	if n <= 0 || v > limit {
		p.fail(errDamaged)
		return 0
	}
	p.b = p.b[n:]
	return v
}

const (
	maxInt32 = 1<<31 - 1
	maxInt64 = 1<<63 - 1
)

func (p *parser) int() int      { return int(p.uvarint(maxInt32)) }
func (p *parser) int64() int64  { return int64(p.uvarint(maxInt64)) }
func (p *parser) sized() []byte { return p.bytes(p.int()) }

func (p *parser) byte() byte {
	if b := p.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

// bytes are the next n bytes, without room to append to.
func (p *parser) bytes(n int) []byte {
	if n > len(p.b) {
		p.fail(errDamaged)
		return nil
	}
	b := p.b[:n:n]
	p.b = p.b[n:]
	return b
}

// record reads one record. Its body is a part of what is parsed.
func (p *parser) record() (r record) {
	flags := p.byte()
	if flags&^knownBits != 0 {
		p.fail(errNewer)
	}
	copy(r.identity[:], p.bytes(len(r.identity)))
	r.first = p.int()
	r.attempts = p.int()
	r.enqueued = p.int64()
	r.entered = p.int64()
	if flags&hasOrigin != 0 {
		r.origin.Queue = string(p.sized())
		r.origin.Attempts = p.int()
	}
	if flags&hasBody != 0 {
		r.typ = adapter.ContentType(p.byte())
		r.body = p.sized()
		r.bytes = int64(len(r.body))
		return r
	}
	r.chunk = p.int64()
	r.lo, r.hi, r.total = p.int(), p.int(), p.int()
	r.bytes = p.int64()
	if r.chunk == 0 || r.lo >= r.hi || r.hi > r.total {
		p.fail(errDamaged)
	}
	return r
}

// parseRecord reads a record that fills b.
func parseRecord(b []byte) (record, error) {
	p := parser{b: b}
	r := p.record()
	if len(p.b) > 0 {
		p.fail(errDamaged)
	}
	return r, p.err
}
