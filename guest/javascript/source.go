package javascript

import (
	"bytes"
	"sync"
)

// source is JavaScript that every new instance evaluates. It is compiled by the
// first one, and the others take over the code, which is several times faster.
type source struct {
	name   string
	text   []byte
	module bool

	mu   sync.Mutex
	code []byte
}

// The flags of quickjs.h for evaluating a module.
const evalModule = 1

// eval evaluates a source. A module's value is a promise of its exports.
func (v *vm) eval(s *source) value {
	code := v.compile(s)
	if code == nil {
		return exception
	}
	ptr := v.put(code)
	if ptr == 0 {
		return exception
	}
	defer v.release(ptr)
	return v.unbox(uint32(v.once("qjs_eval_bytecode", uint64(ptr), uint64(len(code)))))
}

// compile returns a source's code, nil where an exception is pending.
func (v *vm) compile(s *source) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.code != nil {
		return s.code
	}
	flags := uint64(0)
	if s.module {
		flags = evalModule
	}
	both := append(append([]byte(s.name), 0), s.text...)
	ptr := v.put(both)
	if ptr == 0 {
		return nil
	}
	defer v.release(ptr)
	text := ptr + uint32(len(s.name)) + 1
	code := uint32(v.once("qjs_compile", uint64(text), uint64(len(s.text)), uint64(ptr), flags, 0, uint64(v.block+atOut)))
	if code == 0 || v.err != nil {
		return nil
	}
	s.code = bytes.Clone(v.view(code, v.read32(v.block+atOut)))
	v.free(code)
	return s.code
}
