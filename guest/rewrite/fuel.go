package rewrite

// A step is a piece of code that runs without a check, of at most stepBytes
// bytes, some 150 instructions. Where a longer piece begins, more than one step
// is paid for. So what happens between two checks is bounded: some 50 µs for
// usual code, some 100 ms for code that was made to take as long as possible
// (8 ns a byte: divisions that wait for each other, in 10 MB of code).
const (
	stepBytes = 512
	// leafBytes is the size up to which a function that calls nothing and has no
	// loop is not counted. Its caller pays: each call counts as so many bytes.
	leafBytes = 128
	// bulkShift: an instruction on n bytes or table elements costs n>>6 steps.
	bulkShift = 6
)

func steps(bytes, calls int) int32 { return int32(1 + (bytes+calls*leafBytes)/stepBytes) }

// isBulk reports whether an instruction takes a time that its topmost operand
// says.
func isBulk(op opcode) bool {
	switch op {
	case opMemoryInit, opMemoryCopy, opMemoryFill, opTableInit, opTableCopy, opTableGrow, opTableFill:
		return true
	}
	return false
}

// meter is what is added to a module to count its steps.
type meter struct {
	check  uint32 // the imported function; those that follow it are one further on
	fuel   uint32 // a global: the steps left
	amount uint32 // a global that holds a bulk instruction's operand for a moment
	period int32
	sites  []site
	blocks []block
}

// function is the new index of the function that had index i.
func (t *meter) function(i uint32) uint32 {
	if i >= t.check {
		return i + 1
	}
	return i
}

// addMeter adds the import and the globals. The import comes after all others,
// so of the functions only those the module defines get another index.
func (e *edit) addMeter(period int32) {
	globals := uint32(e.imported[kindGlobal] + len(e.globals))
	e.meter = &meter{check: uint32(e.imported[kindFunction]), fuel: globals, amount: globals + 1, period: period}
	e.layout.Checks = true

	typ := e.emptyType
	if typ < 0 {
		typ = e.types
		e.more[secType] = items{1, []byte{0x60, 0, 0}}
	}
	b := appendName(appendName(nil, CheckModule), CheckName)
	e.more[secImport] = items{1, appendU32(append(b, kindFunction), uint32(typ))}

	b = appendS32([]byte{typeI32, 1, byte(opI32Const)}, period)
	b = append(b, byte(opEnd), typeI32, 1, byte(opI32Const), 0, byte(opEnd))
	e.more[secGlobal] = items{2, b}
}

// spend appends: fuel -= n; and what to do when that was too much. The countdown
// is a global that is loaded and stored each time. A local that is written back
// at calls and returns is hardly faster (none to 15 %).
func (t *meter) spend(out []byte, n int32) []byte {
	out = t.get(out, t.fuel)
	out = appendS32(append(out, byte(opI32Const)), n)
	out = append(out, byte(opI32Sub))
	return t.test(out)
}

// spendBulk appends the same for n that is on the stack, and leaves it there.
func (t *meter) spendBulk(out []byte) []byte {
	out = t.set(out, t.amount)
	out = t.get(out, t.fuel)
	out = t.get(out, t.amount)
	out = append(out, byte(opI32Const), bulkShift, byte(opI32ShrU), byte(opI32Sub))
	out = t.test(out)
	return t.get(out, t.amount)
}

// test appends: fuel = the value on the stack; if fuel < 0 { check(); fuel = period }.
// The fuel is never below minus 2^26, since n is at most that.
func (t *meter) test(out []byte) []byte {
	out = t.set(out, t.fuel)
	out = t.get(out, t.fuel)
	out = append(out, byte(opI32Const), 0, byte(opI32LtS), byte(opIf), emptyBlock)
	out = appendU32(append(out, byte(opCall)), t.check)
	out = appendS32(append(out, byte(opI32Const)), t.period)
	out = t.set(out, t.fuel)
	return append(out, byte(opEnd))
}

func (t *meter) get(out []byte, global uint32) []byte {
	return appendU32(append(out, byte(opGlobalGet)), global)
}

func (t *meter) set(out []byte, global uint32) []byte {
	return appendU32(append(out, byte(opGlobalSet)), global)
}
