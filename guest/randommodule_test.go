package guest

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
)

// randomModule builds a valid module with a memory, globals of the four number
// types, a table of its functions, and an entry for queue that runs random
// statements. It may trap.
func randomModule(random *rand.Rand) []byte {
	const functions, globals = 6, 8
	b := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, content []byte) {
		b = append(b, id)
		b = binary.AppendUvarint(b, uint64(len(content)))
		b = append(b, content...)
	}
	section(1, []byte{1, 0x60, 0, 0}) // one type: () → ()
	section(3, append([]byte{functions}, make([]byte, functions)...))
	section(4, []byte{1, 0x70, 0, functions})
	section(5, []byte{1, 1, 1, 8}) // 1 to 8 pages
	content := []byte{globals}
	for i := range globals {
		content = append(content, globalType(i), 1)
		content = append(constant(content, globalType(i), random), 0x0b)
	}
	section(6, content)
	section(7, append([]byte{1, 5}, "queue\x00\x00"...))
	content = []byte{1, 0, 0x41, 0, 0x0b, functions}
	for i := range functions {
		content = append(content, byte(i))
	}
	section(9, content)
	content = []byte{functions}
	for i := range functions {
		body := []byte{0} // no locals
		for range 1 + random.IntN(6) {
			body = statement(body, random, i, functions)
		}
		body = append(body, 0x0b)
		content = binary.AppendUvarint(content, uint64(len(body)))
		content = append(content, body...)
	}
	section(10, content)
	section(11, append([]byte{1, 0, 0x41, 16, 0x0b, 8}, "initial!"...))
	return b
}

func globalType(i int) byte { return []byte{0x7f, 0x7e, 0x7d, 0x7c}[i%4] }

// constant appends a constant of a number type.
func constant(b []byte, typ byte, random *rand.Rand) []byte {
	switch typ {
	case 0x7f:
		return signed(append(b, 0x41), int64(int32(random.Uint32())))
	case 0x7e:
		return signed(append(b, 0x42), int64(random.Uint64()))
	case 0x7d:
		return binary.LittleEndian.AppendUint32(append(b, 0x43), random.Uint32())
	}
	return binary.LittleEndian.AppendUint64(append(b, 0x44), math.Float64bits(random.NormFloat64()))
}

func signed(b []byte, v int64) []byte {
	for {
		c := byte(v & 0x7f)
		if v >>= 7; v == 0 && c&0x40 == 0 || v == -1 && c&0x40 != 0 {
			return append(b, c)
		}
		b = append(b, c|0x80)
	}
}

// statement appends one that leaves the stack as it was. Functions call only
// those behind them, so that they end.
func statement(b []byte, random *rand.Rand, self, functions int) []byte {
	address := func(b []byte) []byte { // now and then outside of memory
		return signed(append(b, 0x41), int64(random.IntN(3*65536)))
	}
	number := func(b []byte, below int) []byte { return signed(append(b, 0x41), int64(random.IntN(below))) }
	switch random.IntN(9) {
	case 0:
		i := random.IntN(8)
		return append(constant(b, globalType(i), random), 0x24, byte(i))
	case 1:
		return append(number(b, 3), 0x40, 0, 0x1a) // memory.grow, drop
	case 2: // memory.fill within the first page
		b = number(number(number(b, 30000), 256), 30000)
		return append(b, 0xfc, 11, 0)
	case 3: // memory.copy within the first page
		b = number(number(number(b, 30000), 30000), 30000)
		return append(b, 0xfc, 10, 0, 0)
	case 4:
		if self+1 < functions {
			return append(b, 0x10, byte(self+1+random.IntN(functions-self-1)))
		}
		return append(b, 0x01) // nop
	case 5:
		if self+1 < functions {
			b = signed(append(b, 0x41), int64(self+1+random.IntN(functions-self-1)))
			return append(b, 0x11, 0, 0) // call_indirect
		}
		return append(b, 0x01)
	case 6: // the entry of the next page, so that whole pages are touched
		b = signed(append(b, 0x41), int64(random.IntN(16)*4096))
		return append(constant(b, 0x7e, random), 0x37, 3, 0)
	default:
		b = constant(address(b), 0x7f, random)
		return append(b, 0x36, 2, 0) // i32.store
	}
}
