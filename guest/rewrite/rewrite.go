// Package rewrite changes a module before wazero compiles it, so that its
// instances become cheap to use again and possible to stop:
//
//   - Options.Globals exports every mutable global, so that Go can save them and
//     put them back; together with the memory that is an instance's whole state,
//     if Module.Rewindable says so.
//   - Options.Fuel makes the module count its steps and call back into Go every
//     now and then, where a call can be ended and the goroutine be preempted.
//
// It works on bytes alone: it instantiates nothing and must not import anything
// else of the project. A module it does not understand is refused by Parse; its
// callers then make a new instance for each event and let wazero check contexts
// (RuntimeConfig.WithCloseOnContextDone).
//
// # Deadlines
//
// Code that wazero compiled cannot be preempted: a guest that loops keeps its
// thread and, since the collector waits for it, soon the whole process.
// WithCloseOnContextDone leaves to Go at every iteration of every loop, which
// makes tight loops 10 to 40 times slower. With Options.Fuel the module counts
// down a private global instead, at the head of each loop and where a function
// begins, and when it is used up calls the function CheckName of CheckModule,
// which it then imports after all its other imports. The host provides it once
// for each runtime:
//
//	_, err := runtime.NewHostModuleBuilder(rewrite.CheckModule).
//		NewFunctionBuilder().WithGoFunction(api.GoFunc(rewrite.Check), nil, nil).Export(rewrite.CheckName).
//		Instantiate(ctx)
//
// and passes a context with a deadline to InstantiateModule and to Call. Check
// gets that context; once it has ended, Check panics with the context's error,
// which wazero returns from Call, wrapped. The instance then is in the middle of
// something: it is to be closed and not used again. Nothing else is needed, no
// second goroutine and no timer but the context's own.
//
// # Why a call and not a flag
//
// An exported global that another goroutine sets, and the code tests, would save
// the new import, but api.MutableGlobal.Set is a plain write: the interpreter
// reads the global in Go, which is a data race, and compiled code is outside of
// what Go's memory model says anything about. A memory of the allocator's own
// does not help either: wazero answers memory.grow 0, which leaves to Go, without
// asking the allocator. A host function is a call like any other in both engines.
// It costs the loop nothing, and less than memory.grow, after which the memory's
// place is loaded anew.
package rewrite

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// The function that a module with Options.Fuel imports: no parameters, no results.
const (
	CheckModule = "wazqueue/rewrite"
	CheckName   = "check"
)

// DefaultPeriod is the number of steps between two checks: some 20 to 100 µs.
const DefaultPeriod = 20_000

// Check is the host function of that name. It ends the guest's call when the
// call's context has ended.
func Check(ctx context.Context, _ []uint64) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
}

// Options says what to change. Its zero value changes nothing.
type Options struct {
	// Globals exports every mutable global that api.MutableGlobal can carry.
	Globals bool
	// Fuel makes the module call CheckName again and again, whatever it does.
	Fuel bool
	// Period is the number of steps between two calls. Defaults to DefaultPeriod.
	Period int32
}

// Layout says what a rewritten module has that the original had not.
type Layout struct {
	// Globals are the mutable globals, in the order of their indices.
	Globals []Global
	// Checks is false if the module does not import CheckName: it has nothing
	// that could take long.
	Checks bool
}

// Rewrite returns the module with the changes. Its own exports, and the indices
// of its types, tables, memories, globals and segments stay what they are; with
// Fuel those of its functions become one greater. The same module and options
// give the same bytes.
func (m *Module) Rewrite(o Options) ([]byte, *Layout, error) {
	if o.Period < 0 {
		return nil, nil, fmt.Errorf("rewrite: period %d", o.Period)
	}
	if o.Period == 0 {
		o.Period = DefaultPeriod
	}
	e := &edit{Module: m, layout: &Layout{}}
	if o.Fuel && m.metered {
		e.addMeter(o.Period)
	}
	if o.Globals {
		e.exportGlobals()
	}
	out, err := e.apply()
	if err != nil {
		return nil, nil, err
	}
	return out, e.layout, nil
}

// edit is one rewriting of a module.
type edit struct {
	*Module
	layout *Layout
	more   [sectionIDs]items
	meter  *meter // nil: functions keep their code and their indices
}

// items are appended to a section that is a vector.
type items struct {
	n uint32
	b []byte
}

// apply writes the module anew. A section that gets its first items is put where
// its rank is; custom sections stay behind what they were behind.
func (e *edit) apply() ([]byte, error) {
	out := make([]byte, 0, len(e.b)+len(e.b)/4+256)
	out = append(out, header...)
	var content []byte
	last := 0
	for _, s := range e.sections {
		if s.id == secCustom {
			content = e.custom(content[:0], s)
			if content != nil {
				out = appendSection(out, s.id, content)
			}
			continue
		}
		out = e.missing(out, last, rank[s.id])
		last = rank[s.id]
		switch {
		case s.id == secCode && e.meter != nil:
			content = e.code(content[:0], s.span)
		case e.more[s.id].n > 0:
			r := e.reader(s.span)
			content = appendU32(content[:0], r.u32()+e.more[s.id].n)
			content = e.renumber(content, span{r.at, s.end})
			content = append(content, e.more[s.id].b...)
		default:
			content = e.renumber(content[:0], s.span)
		}
		if int64(len(content)) > math.MaxUint32 {
			return nil, fmt.Errorf("rewrite: section %d is too large", s.id)
		}
		out = appendSection(out, s.id, content)
	}
	return e.missing(out, last, math.MaxInt), nil
}

// missing appends the sections between two ranks that the module does not have
// but needs.
func (e *edit) missing(out []byte, after, before int) []byte {
	for _, id := range [...]byte{secType, secImport, secGlobal, secExport} {
		if more := e.more[id]; more.n > 0 && after < rank[id] && rank[id] < before {
			out = appendSection(out, id, append(appendU32(nil, more.n), more.b...))
		}
	}
	return out
}

// renumber appends bytes of the module, the functions in them by their new
// indices.
func (e *edit) renumber(out []byte, s span) []byte {
	if e.meter == nil {
		return append(out, e.b[s.at:s.end]...)
	}
	before := func(ref span, at int) int { return cmp.Compare(ref.at, at) }
	from, _ := slices.BinarySearchFunc(e.references, s.at, before)
	to, _ := slices.BinarySearchFunc(e.references, s.end, before)
	return e.replace(out, s, e.references[from:to])
}

// replace appends bytes of the module with each reference in them replaced.
func (e *edit) replace(out []byte, s span, references []span) []byte {
	at := s.at
	for _, ref := range references {
		out = append(out, e.b[at:ref.at]...)
		out = appendU32(out, e.meter.function(e.reader(ref).u32()))
		at = ref.end
	}
	return append(out, e.b[at:s.end]...)
}

func appendSection(out []byte, id byte, content []byte) []byte {
	out = appendU32(append(out, id), uint32(len(content)))
	return append(out, content...)
}
