package javascript

import "strings"

// bufferSize is the room for texts on their way into the interpreter. A larger
// one gets room of its own.
const bufferSize = 64 << 10

// Where things are in the block, which the interpreter's context points at: what
// Boot leaves, and room that one call uses.
const (
	atRuntime = 0
	atBuffer  = 4
	atFile    = 8 // an empty name
	atNewline = 9
	atArgv    = 16 // argvCount values
	atOut     = 40
	atVectors = 48 // two pointers with lengths
	atWrong   = 64 // the text wrong
	atImport  = 96 // the text wrongImport
	atGlue    = 152
	blockSize = atGlue + 8*glueCount

	argvCount = 3
)

// What the prelude returns: functions, and the objects that handlers are given.
const (
	glueLoad = iota
	glueFind
	glueFinish
	glueDescribe
	glueBatch
	glueRequest
	glueEnv
	glueContext
	glueCount
)

// What exceptions say, as formats of C.
const (
	wrong       = "not a value that the host takes"
	wrongImport = "cannot import '%s': a script is one file, bundle it"
)

var glueNames = [glueCount]string{"load", "find", "finish", "describe", "batch", "request", "env", "context"}

// state is where the interpreter has what events need. It is read from the
// instance's memory for each event.
type state struct{ context, runtime, block, buffer uint32 }

// locate reads the state.
func (v *vm) locate() {
	v.context = uint32(v.do(qjsGetContext))
	v.block = uint32(v.do(jsGetContextOpaque, uint64(v.context)))
	v.runtime = v.read32(v.block + atRuntime)
	v.buffer = v.read32(v.block + atBuffer)
}

func (v *vm) glue(i uint32) value { return value(v.read64(v.block + atGlue + 8*i)) }

// apply calls a function.
func (v *vm) apply(f value, args ...value) value {
	argv := v.block + atArgv
	if len(args) > argvCount {
		if argv = v.allocate(8 * len(args)); argv == 0 {
			return v.outOfMemory()
		}
		defer v.free(argv)
	}
	for i, x := range args {
		v.write64(argv+8*uint32(i), uint64(x))
	}
	return value(v.do(jsCall, uint64(v.context), uint64(f), uint64(undefined), uint64(len(args)), uint64(argv)))
}

// pump runs jobs until there are none. It is not ok where one of them threw: the
// exception is pending then.
func (v *vm) pump() (ok bool) {
	for {
		switch n := int32(v.do(jsExecutePendingJob, uint64(v.runtime), uint64(v.block+atOut))); {
		case n < 0:
			return false
		case n == 0:
			return true
		}
	}
}

// thrown takes the exception that is pending and says what it is.
func (v *vm) thrown() string {
	return v.tell(value(v.do(jsGetException, uint64(v.context))))
}

// reasonSize is the most that a script may say of what was thrown, in bytes.
const reasonSize = 16 << 10

// tell says what a value is that was thrown: its message and stack.
func (v *vm) tell(x value) string {
	text := v.goString(v.apply(v.glue(glueDescribe), x))
	switch {
	case text == "":
		return errMemory.Error() // there was no room for the text of anything else
	case len(text) > reasonSize:
		return strings.ToValidUTF8(text[:reasonSize], "") + "…"
	}
	return text
}
