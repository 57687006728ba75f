package rewrite

// opcode is an instruction's number; those behind a prefix have the prefix in
// their upper byte.
type opcode uint16

const (
	opBlock     opcode = 0x02
	opLoop      opcode = 0x03
	opIf        opcode = 0x04
	opEnd       opcode = 0x0b
	opCall      opcode = 0x10
	opCallTable opcode = 0x11 // call_indirect
	opGlobalGet opcode = 0x23
	opGlobalSet opcode = 0x24
	opTableSet  opcode = 0x26
	opI32Const  opcode = 0x41
	opI32LtS    opcode = 0x48
	opI32Sub    opcode = 0x6b
	opI32ShrU   opcode = 0x76
	opRefFunc   opcode = 0xd2

	opMemoryInit opcode = 0xfc08
	opDataDrop   opcode = 0xfc09
	opMemoryCopy opcode = 0xfc0a
	opMemoryFill opcode = 0xfc0b
	opTableInit  opcode = 0xfc0c
	opElemDrop   opcode = 0xfc0d
	opTableCopy  opcode = 0xfc0e
	opTableGrow  opcode = 0xfc0f
	opTableFill  opcode = 0xfc11
)

// The prefixes, and the empty block type.
const (
	prefixMisc = 0xfc
	prefixSIMD = 0xfd
	emptyBlock = 0x40
)

// shape is what follows an opcode.
type shape byte

const (
	unknown shape = iota
	nothing
	blockType
	oneIndex
	twoIndexes
	labels
	memArg
	lane
	memArgLane
	memory0 // the index of the only memory: a zero in one byte
	memory00
	indexMemory0
	const32
	const64
	fourBytes
	eightBytes
	sixteenBytes
	oneType
	refType
)

// shapes gives the opcodes from first to last one shape.
type shapes []struct {
	first, last byte
	is          shape
}

func (s shapes) table() *[256]shape {
	var t [256]shape
	for _, run := range s {
		for op := int(run.first); op <= int(run.last); op++ {
			t[op] = run.is
		}
	}
	return &t
}

// The instructions of WebAssembly 2.0, which are those wazero takes unless it is
// told otherwise. (Core spec 2.0, 5.4.)
var (
	plainShapes = shapes{
		{0x00, 0x01, nothing},
		{0x02, 0x04, blockType},
		{0x05, 0x05, nothing}, // else
		{0x0b, 0x0b, nothing},
		{0x0c, 0x0d, oneIndex},
		{0x0e, 0x0e, labels}, // br_table
		{0x0f, 0x0f, nothing},
		{0x10, 0x10, oneIndex},
		{0x11, 0x11, twoIndexes},
		{0x1a, 0x1b, nothing},
		{0x1c, 0x1c, oneType}, // select with a type
		{0x20, 0x26, oneIndex},
		{0x28, 0x3e, memArg},
		{0x3f, 0x40, memory0},
		{0x41, 0x41, const32},
		{0x42, 0x42, const64},
		{0x43, 0x43, fourBytes},
		{0x44, 0x44, eightBytes},
		{0x45, 0xc4, nothing},
		{0xd0, 0xd0, refType}, // ref.null
		{0xd1, 0xd1, nothing},
		{0xd2, 0xd2, oneIndex},
	}.table()

	miscShapes = shapes{
		{0, 7, nothing}, // saturating truncations
		{8, 8, indexMemory0},
		{9, 9, oneIndex},
		{10, 10, memory00},
		{11, 11, memory0},
		{12, 12, twoIndexes},
		{13, 13, oneIndex},
		{14, 14, twoIndexes},
		{15, 17, oneIndex},
	}.table()

	simdShapes = shapes{
		{0, 11, memArg},
		{12, 13, sixteenBytes}, // v128.const, i8x16.shuffle
		{14, 20, nothing},
		{21, 34, lane},
		{35, 83, nothing},
		{84, 91, memArgLane},
		{92, 93, memArg},
		{94, 255, nothing},
		// The numbers that are not taken.
		{0x9a, 0x9a, unknown}, {0xa2, 0xa2, unknown}, {0xa5, 0xa6, unknown}, {0xaf, 0xb0, unknown},
		{0xb2, 0xb4, unknown}, {0xbb, 0xbb, unknown}, {0xc2, 0xc2, unknown}, {0xc5, 0xc6, unknown},
		{0xcf, 0xd0, unknown}, {0xd2, 0xd4, unknown}, {0xe2, 0xe2, unknown}, {0xee, 0xee, unknown},
	}.table()
)
