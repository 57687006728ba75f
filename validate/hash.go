package validate

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// hasher hashes names under a secret, so that nobody can send names that
// collide.
type hasher struct {
	seed    maphash.Seed
	a, b, c uint64
}

func newHasher() hasher {
	seed := maphash.MakeSeed()
	return hasher{seed, maphash.String(seed, "a"), maphash.String(seed, "b"), maphash.String(seed, "c")}
}

// of is the hash of a name.
func (h *hasher) of(name []byte) uint64 {
	if len(name) >= 8 {
		return maphash.Bytes(h.seed, name)
	}
	var word [8]byte
	copy(word[:], name)
	return h.short(binary.LittleEndian.Uint64(word[:]), len(name))
}

// short is the hash of a name of n < 8 bytes, which are the low ones of word.
func (h *hasher) short(word uint64, n int) uint64 {
	return fold(word^h.a, uint64(n)^h.b)
}

// place is where a hash belongs in a table of the given size, a power of 2. It
// takes another round, as one gives names that count up places at even
// distances, which some secrets make small.
func (h *hasher) place(hash uint64, size int) int {
	return int(fold(hash, h.c) & uint64(size-1))
}

// fold is a round of a hash.
func fold(x, y uint64) uint64 {
	high, low := bits.Mul64(x, y)
	return high ^ low
}
