package memory

import (
	"math/rand/v2"

	"github.com/wazqueue/wazqueue/adapter"
)

// A lease's text is twelve characters of the URL-safe alphabet: the key of
// its record, 64 random bits, and the message's place in the record, 7 bits,
// with one bit to spare, which is 0. Nobody guesses a key, so what is not a
// lease is as good as lost.
const leaseLen = 12

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// values are the characters' places in the alphabet, 64 for all others.
var values = func() (v [256]byte) {
	for i := range v {
		v[i] = 64
	}
	for i := range alphabet {
		v[alphabet[i]] = byte(i)
	}
	return v
}()

// newKey draws from the runtime's ChaCha8 generator. Zero is no key.
func newKey() uint64 {
	for {
		if k := rand.Uint64(); k != 0 {
			return k
		}
	}
}

// putLease fills b with the lease of message i under this key.
func putLease(b []byte, key uint64, i int) {
	_ = b[leaseLen-1]
	low := key<<8 | uint64(i)<<1 // the last 10 characters have the lower 60 bits of all
	for j := leaseLen - 1; j >= 2; j-- {
		b[j] = alphabet[low&63]
		low >>= 6
	}
	high := key >> 52
	b[1], b[0] = alphabet[high&63], alphabet[high>>6]
}

func parseLease(l adapter.Lease) (key uint64, i int, ok bool) {
	if len(l) != leaseLen {
		return 0, 0, false
	}
	var low uint64
	var bad byte
	for j := 2; j < leaseLen; j++ {
		v := values[l[j]]
		bad |= v
		low = low<<6 | uint64(v)
	}
	v0, v1 := values[l[0]], values[l[1]]
	bad |= v0 | v1
	if bad > 63 || low&1 != 0 {
		return 0, 0, false
	}
	high := uint64(v0)<<6 | uint64(v1)
	return high<<52 | low>>8, int(low >> 1 & (chunk - 1)), true
}
