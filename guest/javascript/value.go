package javascript

import "math"

// value is a JavaScript value as QuickJS passes it on a 32-bit machine: a tag in
// the upper half, and a pointer or a small number below; everything else is a
// double with another bias (quickjs.h, JS_NAN_BOXING).
type value uint64

// The tags that matter here.
const (
	tagString    = -7
	tagRope      = -6 // a string that is not joined yet
	tagObject    = -1
	tagInt       = 0
	tagBool      = 1
	tagNull      = 2
	tagUndefined = 3
	tagException = 6

	doubleBias = (0x7ff80000 + 9 + 1) << 32
)

func tagged(tag int32, low uint32) value { return value(uint64(uint32(tag))<<32 | uint64(low)) }
func number(n int32) value               { return tagged(tagInt, uint32(n)) }

var (
	undefined = tagged(tagUndefined, 0)
	null      = tagged(tagNull, 0)
	exception = tagged(tagException, 0)
)

func boolean(is bool) value {
	if is {
		return tagged(tagBool, 1)
	}
	return tagged(tagBool, 0)
}

func (v value) tag() int32        { return int32(v >> 32) }
func (v value) isException() bool { return v.tag() == tagException }
func (v value) isString() bool    { return v.tag() == tagString || v.tag() == tagRope }
func (v value) pointer() uint32   { return uint32(v) }

// double is a number that is not a small integer.
func double(f float64) value { return value(math.Float64bits(f) - doubleBias) }
