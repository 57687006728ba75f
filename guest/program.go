// Package guest runs programs: a module is compiled once, and every event runs
// in an instance of its own that nothing of an earlier event has touched (A-4,
// A-5), within limits of time, memory and output. Such an instance is new, or
// was put back to the state its initialisation left, where nobody could tell.
// It imports hostfn of this project, and below itself rewrite, image and wasi.
package guest

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wazqueue/wazqueue/guest/image"
	"github.com/wazqueue/wazqueue/guest/rewrite"
	"github.com/wazqueue/wazqueue/guest/wasi"
	"github.com/wazqueue/wazqueue/hostfn"
)

// Config says how a program runs. Its zero value works.
type Config struct {
	// Stdout and Stderr get the guest's output, each line whole in one Write.
	// One program never calls them concurrently. Defaults to discarding it.
	Stdout, Stderr io.Writer
	// Log gets what the operator should know of events that went on. Defaults
	// to slog.Default().
	Log *slog.Logger
	// Args and Env are what the guest finds in WASI. Defaults to none.
	Args []string
	Env  map[string]string
	// EventTime is the wall-clock limit of one event, its instance's
	// initialisation included. Defaults to 15 minutes (B-45).
	EventTime time.Duration
	// MemoryMiB limits an instance's memory, 1 to 4096. Defaults to 128.
	MemoryMiB int
	// OutputBytes limits what one event prints, both streams together; what is
	// above it is cut at a line. Defaults to 1 MiB.
	OutputBytes int
	// Needs are event kinds that the program must have an entry for. Defaults
	// to none.
	Needs []string
	// Instance says whether events run in new instances or rewound ones.
	// Defaults to Auto.
	Instance Reuse
	// Cache shares compiled code between programs and, if it has a folder,
	// between runs. Defaults to none.
	Cache wazero.CompilationCache

	rewinding image.Method // how, for tests; defaults to the best
}

func (c Config) withDefaults() Config {
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.EventTime <= 0 {
		c.EventTime = 15 * time.Minute
	}
	if c.MemoryMiB <= 0 {
		c.MemoryMiB = 128
	}
	if c.OutputBytes <= 0 {
		c.OutputBytes = 1 << 20
	}
	if c.rewinding == 0 {
		c.rewinding = image.Best()
	}
	return c
}

// Program is a compiled module and the runtime it runs in. It is safe for
// concurrent use.
type Program struct {
	config   Config
	engine   Engine // nil: the module is the program
	code     code
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	entries  entries
	env      []string
	printing sync.Mutex // of Stdout and Stderr
	snapshot *snapshot  // nil: every instance is new
	why      []string   // snapshot is or is not nil
	pool     pool
	running  running
}

// Load compiles a module and checks that it can run: that the host offers each
// of its imports, that it has the entries the configuration needs, and that an
// instance starts. A module that cannot is refused with a *LoadError, which
// names everything that is missing. The caller closes the program.
func Load(ctx context.Context, wasm []byte, c Config) (*Program, error) {
	return load(ctx, wasm, nil, c)
}

func load(ctx context.Context, wasm []byte, e Engine, c Config) (*Program, error) {
	p, report, err := open(ctx, wasm, e, c)
	if err != nil {
		return nil, err
	}
	if len(report.Problems) > 0 {
		p.Close(ctx)
		return nil, &LoadError{Problems: report.Problems}
	}
	return p, nil
}

// Inspect reports what a module imports and which events it could serve, and
// why Load would refuse it under the same configuration. Its error is that of
// bytes that are not a module at all.
func Inspect(ctx context.Context, wasm []byte, c Config) (*Report, error) {
	return inspect(ctx, wasm, nil, c)
}

func inspect(ctx context.Context, wasm []byte, e Engine, c Config) (*Report, error) {
	p, report, err := open(ctx, wasm, e, c)
	if err != nil {
		return nil, err
	}
	return report, p.Close(ctx)
}

func open(ctx context.Context, wasm []byte, e Engine, c Config) (*Program, *Report, error) {
	p := &Program{config: c.withDefaults(), engine: e, code: prepare(wasm)}
	rc := wazero.NewRuntimeConfig().
		WithCloseOnContextDone(!p.code.metered).
		WithMemoryLimitPages(uint32(min(p.config.MemoryMiB*16, 65535))) // one more, and its size in bytes is 0 in 32 bits
	if c.Cache != nil {
		rc = rc.WithCompilationCache(c.Cache)
	}
	p.runtime = wazero.NewRuntimeWithConfig(ctx, rc)
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		p.env = append(p.env, name+"="+c.Env[name])
	}
	report, err := p.compile(ctx, wasm)
	if err != nil {
		p.Close(ctx)
		return nil, nil, err
	}
	return p, report, nil
}

func (p *Program) compile(ctx context.Context, wasm []byte) (*Report, error) {
	if err := p.offer(ctx); err != nil {
		return nil, err
	}
	var err error
	if p.compiled, err = p.runtime.CompileModule(ctx, p.code.wasm); err != nil {
		return nil, &LoadError{Problems: []string{p.notCompiled(ctx, wasm, err)}}
	}
	p.code.wasm = nil // it is compiled now
	report := p.examine()
	if p.engine == nil {
		p.entries = p.compiled.ExportedFunctions()
		p.examineEntries(report)
	}
	if len(report.Problems) == 0 {
		p.try(ctx, report)
	}
	return report, nil
}

// offer registers the host modules.
func (p *Program) offer(ctx context.Context) error {
	if err := hostfn.Instantiate(ctx, p.runtime); err != nil {
		return err
	}
	if err := wasi.Instantiate(ctx, p.runtime); err != nil {
		return err
	}
	if p.engine != nil {
		if err := p.engine.Offer(ctx, p.runtime); err != nil {
			return err
		}
	}
	_, err := p.runtime.NewHostModuleBuilder(rewrite.CheckModule).
		NewFunctionBuilder().WithGoFunction(api.GoFunc(rewrite.Check), nil, nil).Export(rewrite.CheckName).
		Instantiate(ctx)
	return err
}

// try starts an instance once, so that a module which cannot start is refused
// now and not at every event, and decides by it how instances are reused. What
// it prints is not shown.
func (p *Program) try(ctx context.Context, report *Report) {
	limited := newLimit(ctx, p.config.EventTime)
	defer limited.end()
	in, err := p.make(limited, true)
	if err := judge(err, ctx, limited); err != nil {
		if refusal, ok := errors.AsType[*LoadError](err); ok {
			report.Problems = append(report.Problems, refusal.Problems...)
			return
		}
		report.problem("an instance does not start: %v", err)
		return
	}
	defer in.close()
	if p.engine != nil {
		p.entries = in.names
		p.examineEntries(report)
	}
	report.Instance, report.Why, err = p.decide(in.wasi.Used).mode(p.config.Instance)
	if err == nil && report.Instance == Rewind {
		p.snapshot, err = p.capture(in)
	}
	if err != nil {
		report.problem("%v", err)
	}
	p.why = report.Why
}

// Handles reports whether the program has an entry for events of this kind.
func (p *Program) Handles(kind string) bool {
	_, ok := p.entries.of(kind)
	return ok
}

// Reuse reports whether events run in new instances or rewound ones, and why.
func (p *Program) Reuse() (Reuse, []string) {
	if p.snapshot == nil {
		return New, p.why
	}
	return Rewind, p.why
}

// Close frees the program when its last event is over; it takes no more. Where
// ctx ends first it frees nothing, since guests stand on it, and says so.
func (p *Program) Close(ctx context.Context) error {
	if again, err := p.running.close(ctx); again || err != nil {
		return err
	}
	p.pool.close()
	return errors.Join(p.runtime.Close(ctx), p.snapshot.close())
}
