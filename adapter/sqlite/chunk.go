package sqlite

import (
	"encoding/binary"

	"github.com/wazqueue/wazqueue/adapter"
)

const (
	// maxChunk is the largest number of messages in a chunk, and maxChunkBytes
	// roughly the largest sum of their bodies. More would make taking one
	// message at a time read more than it returns.
	maxChunk      = 100
	maxChunkBytes = 1 << 20
	// maxInline is the largest body that lies in its record. Larger ones would
	// not fit SQLite's page beside others, and are not to be copied with the
	// record from the ready messages to the leased ones.
	maxInline = 512
)

// chunk is the bodies of messages stored together. It is never changed.
type chunk struct {
	data  []byte
	start []uint32 // where each body starts in data, and where the last ends
	types []adapter.ContentType
}

const chunkFormat = 1

// appendChunk appends the stored form of a chunk: format, count, each body's
// length and type, then the bodies.
func appendChunk(b []byte, msgs []message) []byte {
	b = append(b, chunkFormat)
	b = binary.AppendUvarint(b, uint64(len(msgs)))
	for _, m := range msgs {
		b = binary.AppendUvarint(b, uint64(len(m.body))<<2|uint64(m.typ))
	}
	for _, m := range msgs {
		b = append(b, m.body...)
	}
	return b
}

// message is a body on its way into a record.
type message struct {
	typ  adapter.ContentType
	body []byte
}

func parseChunk(data []byte) (*chunk, error) {
	p := parser{b: data}
	if p.byte() != chunkFormat {
		p.fail(errNewer)
	}
	n := p.int()
	if n > len(data) {
		p.fail(errDamaged)
		return nil, p.err
	}
	c := &chunk{start: make([]uint32, n+1), types: make([]adapter.ContentType, n)}
	sum := uint64(0)
	for i := range n {
		v := p.uvarint(maxInt32 << 2)
		c.types[i] = adapter.ContentType(v & 3)
		sum += v >> 2
		c.start[i+1] = uint32(min(sum, maxInt32))
	}
	c.data = p.b
	if sum != uint64(len(c.data)) {
		p.fail(errDamaged)
	}
	return c, p.err
}

// body is the body in place i, without room to append to.
func (c *chunk) body(i int) []byte {
	lo, hi := c.start[i], c.start[i+1]
	return c.data[lo:hi:hi]
}

// size is the sum of the bodies' lengths in the places lo to hi.
func (c *chunk) size(lo, hi int) int64 { return int64(c.start[hi] - c.start[lo]) }

// chunkCache keeps chunks that are being taken apart, so that receiving one
// message at a time does not read all its neighbours each time. Keys are never
// used again and chunks never change, so nothing in it can be out of date. Of
// two generations the older is dropped when the younger is full.
type chunkCache struct {
	young, old map[int64]*chunk
	bytes      int
}

// maxCache bounds one generation of the cache.
const maxCache = 4 << 20

func (c *chunkCache) get(key int64) *chunk {
	if k := c.young[key]; k != nil {
		return k
	}
	k := c.old[key]
	if k != nil {
		c.put(key, k)
	}
	return k
}

func (c *chunkCache) put(key int64, k *chunk) {
	if c.bytes+len(k.data) > maxCache || c.young == nil {
		c.old, c.young, c.bytes = c.young, map[int64]*chunk{}, 0
	}
	if c.young[key] == nil {
		c.bytes += len(k.data)
	}
	c.young[key] = k
}

func (c *chunkCache) drop(key int64) {
	if k := c.young[key]; k != nil {
		c.bytes -= len(k.data)
		delete(c.young, key)
	}
	delete(c.old, key)
}
