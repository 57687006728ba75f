package rewrite_test

import (
	"fmt"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// arguments are what can follow an opcode; one of them is right for each.
var arguments = [][]byte{
	{},
	{0},
	{0, 0},
	{0, 0, 0},
	{1, 0x7f},
	{0x70},
	{0x40, 0x0b},       // an empty block
	{0x40, 0x05, 0x0b}, // … with an else
	make([]byte, 4),
	make([]byte, 8),
	make([]byte, 16),
}

// Every opcode there is, behind each prefix, in a function where the operand
// stack can be anything: this package takes exactly the instructions that wazero
// takes, with the same arguments, and what it makes of them wazero takes too.
func TestEveryOpcode(t *testing.T) {
	t.Parallel()
	r := newRuntime(t, wazero.NewRuntimeConfigInterpreter())
	valid := 0
	for _, prefix := range [][]byte{{}, {0xfc}, {0xfd}} {
		for op := range 256 {
			code := append(prefix[:len(prefix):len(prefix)], byte(op))
			if len(prefix) > 0 && op > 0x7f {
				code = append(code, 1)
			}
			taken, known := 0, 0
			for _, args := range arguments {
				a, b := compareOpcode(t, r, code, args)
				taken, known = taken+a, known+b
			}
			if isElse := len(code) == 1 && op == 0x05; taken == 0 && known > 0 && !isElse {
				t.Errorf("%x: wazero does not take it", code)
			}
			valid += min(taken, 1)
		}
	}
	// The plain ones but for end and else, which stand in the blocks; the two prefixes; those behind them.
	if valid != 181+2+18+236 {
		t.Errorf("%d instructions", valid)
	}
}

// compareOpcode says whether wazero takes a function, and whether Parse does.
func compareOpcode(t *testing.T, r wazero.Runtime, code, args []byte) (taken, known int) {
	wasm := function(join([]byte{0x00}, code, args, []byte{0x00})...)
	compiled, err := r.CompileModule(t.Context(), wasm)
	m, refused := rewrite.Parse(wasm)
	switch {
	case err != nil && refused != nil:
		return 0, 0
	case err != nil: // structure and types are wazero's to check
		return 0, 1
	case refused != nil:
		t.Errorf("%x %x: wazero takes it, but %v", code, args, refused)
		return 1, 0
	}
	_ = compiled.Close(t.Context())
	out, _, err := m.Rewrite(rewrite.Options{Globals: true, Fuel: true, Period: 1})
	if err != nil {
		t.Fatal(err)
	}
	if compiled, err = r.CompileModule(t.Context(), out); err != nil {
		t.Errorf("%x %x, rewritten: %v", code, args, err)
		return 1, 1
	}
	_ = compiled.Close(t.Context())
	return 1, 1
}

// What wazero only takes when it is told to, and encodings that it reads in
// another way than the specification, are refused.
func TestRefusedInstructions(t *testing.T) {
	t.Parallel()
	for name, code := range map[string][]byte{
		"try":                               {0x06, 0x40, 0x0b},
		"throw":                             {0x08, 0},
		"try_table":                         {0x1f, 0x40, 0, 0x0b},
		"return_call":                       {0x12, 0},
		"return_call_indirect":              {0x13, 0, 0},
		"call_ref":                          {0x14, 0},
		"ref.as_non_null":                   {0x00, 0xd4, 0x1a},
		"an atomic instruction":             {0xfe, 0x03, 0},
		"a relaxed SIMD instruction":        {0x00, 0xfd, 0x80, 0x02, 0x00},
		"a misc opcode that is not there":   {0xfc, 18},
		"a misc opcode in two bytes":        {0x00, 0xfc, 0x8b, 0x00, 0x00},
		"a SIMD opcode in two bytes":        {0x00, 0xfd, 0x8c, 0x00, 0x00},
		"a SIMD opcode in three bytes":      {0x00, 0xfd, 0x8e, 0x81, 0x00, 0x00},
		"a block of a typed reference":      {0x02, 0x63, 0x70, 0x00, 0x0b, 0x1a},
		"the same in two bytes":             {0x02, 0xe3, 0x7f, 0x70, 0x00, 0x0b, 0x1a},
		"ref.null of another heap type":     {0xd0, 0x69, 0x1a},
		"select of two types":               {0x00, 0x1c, 2, 0x7f, 0x7f, 0x00},
		"memory 1":                          {0x3f, 1, 0x1a},
		"memory 0 in two bytes":             {0x3f, 0x80, 0, 0x1a},
		"an alignment with a memory index":  {0x00, 0x28, 0x42, 0, 0, 0x00},
		"an index of six bytes":             {0x20, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0x1a},
		"a constant of 33 bits":             {0x41, 0xff, 0xff, 0xff, 0xff, 0x1f, 0x1a},
		"a constant whose sign is not kept": {0x41, 0xff, 0xff, 0xff, 0xff, 0x4f, 0x1a},
		"more labels than bytes":            {0x0e, 0xff, 0xff, 0xff, 0xff, 0x0f, 0},
		"code behind the end":               {0x0b, 0x01},
		"no end":                            {0x02, 0x40},
		"an argument cut off":               {0x44, 0, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := rewrite.Parse(function(code...)); err == nil {
				t.Error("taken")
			}
		})
	}
}

// Integers of any length that is allowed.
func TestIntegers(t *testing.T) {
	t.Parallel()
	r := newRuntime(t, wazero.NewRuntimeConfigInterpreter())
	for _, code := range [][]byte{
		{0x41, 0x7f}, {0x41, 0xff, 0x7f}, {0x41, 0xff, 0xff, 0xff, 0xff, 0x7f}, {0x41, 0x80, 0x80, 0x80, 0x80, 0x78},
		{0x41, 0xff, 0xff, 0xff, 0xff, 0x07}, {0x41, 0x80, 0x80, 0x80, 0x80, 0x00},
		{0x42, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x7f},
		{0x42, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x00},
		{0x23, 0x80, 0x80, 0x80, 0x80, 0x00},
		{0xd2, 0x80, 0x80, 0x00},
		{0x02, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x00, 0x0b}, // a block of an i32
		{0x02, 0xc0, 0xff, 0xff, 0xff, 0x7f, 0x0b, 0x41, 0},
		{0x02, 0x80, 0x80, 0x80, 0x80, 0x00, 0x0b, 0x41, 0}, // of type 0
	} {
		t.Run(fmt.Sprintf("%x", code), func(t *testing.T) {
			wasm := function(append(code, 0x1a)...)
			if _, err := r.CompileModule(t.Context(), wasm); err != nil {
				t.Fatal("wazero:", err)
			}
			out, _ := rewritten(t, wasm, rewrite.Options{Fuel: true})
			if _, err := r.CompileModule(t.Context(), out); err != nil {
				t.Error(err)
			}
		})
	}
}
