package rewrite

// Value types. (Core spec 2.0, 5.3.)
const (
	typeI32       = 0x7f
	typeI64       = 0x7e
	typeF32       = 0x7d
	typeF64       = 0x7c
	typeV128      = 0x7b
	typeFuncref   = 0x70
	typeExternref = 0x6f
)

func isRef(t byte) bool { return t == typeFuncref || t == typeExternref }

func (r *reader) valueType() byte {
	t := r.byte()
	if t < typeV128 && !isRef(t) || t > typeI32 {
		r.fail("unknown type %#x", t)
	}
	return t
}

func (r *reader) refType() byte {
	t := r.byte()
	if !isRef(t) {
		r.fail("unknown reference type %#x", t)
	}
	return t
}

func (r *reader) zero() {
	if c := r.byte(); c != 0 {
		r.fail("%#x instead of zero", c)
	}
}

// instruction is one instruction of a function body.
type instruction struct {
	op   opcode
	at   int  // where it begins
	args span // what follows its opcode
}

// instruction reads one instruction. wazero takes the number behind the SIMD
// prefix for a byte, and the second byte of the numbers above 127, which is 1,
// for a nop. A longer encoding of a number would therefore be one instruction
// here and another one there; such are refused.
func (r *reader) instruction() instruction {
	in := instruction{at: r.at}
	c := r.byte()
	in.op = opcode(c)
	is := plainShapes[c]
	switch c {
	case prefixMisc:
		n := r.byte()
		in.op, is = opcode(c)<<8|opcode(n), miscShapes[n]
	case prefixSIMD:
		n := r.byte()
		in.op, is = opcode(c)<<8|opcode(n), simdShapes[n]
		if n > 0x7f && r.byte() != 1 {
			is = unknown
		}
	}
	in.args.at = r.at
	if is == unknown && r.err == nil {
		r.fail("unknown instruction %#x", uint16(in.op))
	}
	r.arguments(is)
	in.args.end = r.at
	return in
}

func (r *reader) arguments(is shape) {
	switch is {
	case blockType:
		r.blockType()
	case oneIndex:
		r.u32()
	case twoIndexes:
		r.u32()
		r.u32()
	case labels:
		for n := r.count(1); n >= 0 && r.err == nil; n-- { // one more: the default
			r.u32()
		}
	case memArg, memArgLane:
		if align := r.u32(); align > 4 {
			r.fail("alignment 2^%d", align)
		}
		r.u32()
		if is == memArgLane {
			r.byte()
		}
	case lane:
		r.byte()
	case memory0:
		r.zero()
	case memory00:
		r.zero()
		r.zero()
	case indexMemory0:
		r.u32()
		r.zero()
	case const32:
		r.signed(32)
	case const64:
		r.signed(64)
	case fourBytes:
		r.skip(4)
	case eightBytes:
		r.skip(8)
	case sixteenBytes:
		r.skip(16)
	case oneType:
		if n := r.byte(); n != 1 {
			r.fail("select of %d types", n)
		}
		r.valueType()
	case refType:
		r.refType()
	}
}

// blockType reads a block's type: none, a value type, or the index of a function
// type, all in one signed integer of 33 bits.
func (r *reader) blockType() {
	t := r.signed(33)
	switch {
	case t >= 0, t == emptyBlock-0x80:
	case t >= typeV128-0x80, t == typeFuncref-0x80, t == typeExternref-0x80:
	default:
		r.fail("unknown block type %d", t)
	}
}

// maxLocals is the limit that browsers have. wazero has none, and takes memory for
// each.
const maxLocals = 50_000

// walk reads one function: its locals, of which it returns where they end, and
// its instructions, which it shows to visit. (Core spec 2.0, 5.5.13.)
func (r *reader) walk(visit func(instruction)) (code span) {
	locals := int64(0)
	for n := r.count(2); n > 0; n-- {
		locals += int64(r.u32())
		r.valueType()
	}
	if locals > maxLocals {
		r.fail("%d locals", locals)
	}
	code = span{r.at, r.end}
	for open := 1; open > 0 && r.err == nil; {
		in := r.instruction()
		switch in.op {
		case opBlock, opLoop, opIf:
			open++
		case opEnd:
			open--
		}
		if r.err == nil {
			visit(in)
		}
	}
	return code
}

// constant reads a constant expression and returns where function indices stand
// in it. (Core spec 2.0, 5.4.9.)
func (r *reader) constant() (functions []span) {
	for r.err == nil {
		in := r.instruction()
		switch in.op {
		case opI32Const, 0x42, 0x43, 0x44, opGlobalGet, 0xd0, 0xfd0c:
		case opRefFunc:
			functions = append(functions, in.args)
		case opEnd:
			return functions
		default:
			r.fail("instruction %#x in a constant expression", uint16(in.op))
		}
	}
	return nil
}
