package memory

import "encoding/hex"

// An id is 32 hexadecimal digits: 16 that were drawn when the store was
// opened, and the message's number in it.
const idLen = 32

const digits = "0123456789abcdef"

// putID fills b with the id of the message with this number.
func (a *Adapter) putID(b []byte, number uint64) {
	copy(b, a.prefix[:])
	for i := idLen - 1; i >= idLen/2; i-- {
		b[i] = digits[number&15]
		number >>= 4
	}
}

// number is putID's inverse; ok is false for what is no id of this store.
func (a *Adapter) number(id string) (number uint64, ok bool) {
	if len(id) != idLen {
		return 0, false
	}
	var b [idLen / 4]byte
	if _, err := hex.Decode(b[:], []byte(id[idLen/2:])); err != nil {
		return 0, false
	}
	for _, x := range b {
		number = number<<8 | uint64(x)
	}
	var same [idLen]byte // refuses another store's prefix, and upper case
	a.putID(same[:], number)
	return number, string(same[:]) == id
}
