package javascript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

var (
	// errRange says that the interpreter's own structures cannot be read.
	errRange = errors.New("the JavaScript interpreter's memory is damaged")
	// errReentered says that the interpreter was called while it must not be.
	errReentered = errors.New("the JavaScript interpreter was entered again")
	// errThrown says that a function of hostfn threw.
	errThrown = errors.New("thrown")
	// errMemory says that the interpreter's memory is used up.
	errMemory = errors.New("InternalError: out of memory")
)

// engine is a script, and what all its instances have in common.
type engine struct {
	script    source
	prelude   source
	env       map[string]string
	bindings  []string // that the source uses as queues
	memoryMiB int
	host      map[string]api.GoModuleFunction // hostfn's functions by ASCII name
	fdWrite   api.GoModuleFunction
	randomGet api.GoModuleFunction
}

func newEngine(text []byte, name string, c guest.Config) (*engine, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !utf8.Valid(text) {
		return nil, &guest.LoadError{Problems: []string{name + ": it is not UTF-8"}}
	}
	e := &engine{env: c.Env, bindings: queuesIn(text), memoryMiB: c.MemoryMiB}
	e.script = source{name: name, text: text, module: true}
	e.prelude = source{name: "wazqueue", text: preludeText()}
	if e.memoryMiB <= 0 {
		e.memoryMiB = 128
	}
	return e, nil
}

// sending finds env.NAME.send and env.NAME.sendBatch.
var sending = regexp.MustCompile(`\benv\s*\.\s*([\p{L}\p{N}_$]+)\s*\.\s*send(Batch)?\b`)

// queuesIn lists the bindings that a source sends to by their names. They are
// there whether the script may use them or not, so that using one that is not
// permitted ends the event, as it does in every other language.
func queuesIn(source []byte) (names []string) {
	for _, m := range sending.FindAllSubmatch(source, -1) {
		if name := string(m[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Module implements guest.Engine.
func (e *engine) Module() []byte { return quickjs }

// Attach implements guest.Engine.
func (e *engine) Attach(m api.Module) guest.Script {
	v := &vm{engine: e, module: m, memory: m.Memory()}
	v.ctx.vm = v
	return v
}

// Offer implements guest.Engine. Besides what the interpreter imports it finds
// the functions that a module would import by itself, to call them for it.
func (e *engine) Offer(ctx context.Context, r wazero.Runtime) error {
	e.host = map[string]api.GoModuleFunction{}
	for name, d := range r.Module(hostfn.ASCIIModule).ExportedFunctionDefinitions() {
		e.host[name] = goFunction(d)
	}
	system := r.Module("wasi_snapshot_preview1").ExportedFunctionDefinitions()
	e.fdWrite, e.randomGet = goFunction(system["fd_write"]), goFunction(system["random_get"])

	b := r.NewHostModuleBuilder("env")
	for _, f := range []struct {
		name    string
		call    api.GoModuleFunc
		params  int
		results int
	}{
		{"host_call", hostCall, 5, 1},
		{"host_promise_rejection", hostPromiseRejection, 3, 0},
		{"host_module_normalize", hostModuleNormalize, 2, 1},
		{"host_module_load", returnZero, 2, 1},         // what has no name is not loaded
		{"host_interrupt", returnZero, 0, 1},           // the fuel interrupts
		{"host_get_timezone_offset", returnZero, 2, 1}, // UTC
	} {
		b.NewFunctionBuilder().WithGoModuleFunction(f.call, numbers(f.params), numbers(f.results)).Export(f.name)
	}
	_, err := b.Instantiate(ctx)
	return err
}

func goFunction(d api.FunctionDefinition) api.GoModuleFunction {
	return d.GoFunction().(api.GoModuleFunction)
}

func numbers(n int) []api.ValueType { return slices.Repeat([]api.ValueType{api.ValueTypeI32}, n) }

func returnZero(_ context.Context, _ api.Module, stack []uint64) { stack[0] = 0 }

// failed is the failure of an event, for a reason that the script gave.
func failed(reason string) error {
	return &guest.Error{How: guest.Failed, Err: errors.New(reason)}
}

// refused is the refusal of a script.
func refused(format string, args ...any) error {
	return &guest.LoadError{Problems: []string{fmt.Sprintf(format, args...)}}
}

// located puts the place where a script is wrong in front of what is wrong: the
// first of its lines that the stack has.
func (e *engine) located(why string) string {
	what, stack, _ := strings.Cut(why, "\n")
	for line := range strings.Lines(stack) {
		if at := strings.LastIndex(line, e.script.name+":"); at >= 0 {
			return strings.TrimRight(line[at:], ")\n") + ": " + what
		}
	}
	return e.script.name + ": " + what
}
