package main

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
	"github.com/wazqueue/wazqueue/hostfn"
)

// program is a file and what it describes, compiled.
type program struct {
	*guest.Program
	file *config.Config
	log  *slog.Logger
}

// loadPrograms compiles the files' programs, which the caller closes. All that
// are refused are named at once, each in a config.Problem.
func loadPrograms(ctx context.Context, files []*config.Config, to streams, log *slog.Logger, cache wazero.CompilationCache) ([]program, error) {
	var programs []program
	var errs []error
	for _, c := range files {
		p := program{file: c, log: log.With("program", c.Name)}
		gc := guestConfig(c, cache)
		gc.Stdout, gc.Stderr, gc.Log = to.out, to.err, p.log
		var err error
		if p.Program, err = load(ctx, c.Main, gc); err != nil {
			errs = append(errs, atMain(c, err))
			continue
		}
		programs = append(programs, p)
	}
	if err := errors.Join(errs...); err != nil {
		closePrograms(ctx, programs)
		return nil, err
	}
	return programs, nil
}

// load loads a compiled program or a script.
func load(ctx context.Context, file string, c guest.Config) (*guest.Program, error) {
	code, err := os.ReadFile(file)
	switch {
	case err != nil:
		return nil, err
	case javascript.Is(file):
		return javascript.Load(ctx, code, file, c)
	}
	return guest.Load(ctx, code, c)
}

func guestConfig(c *config.Config, cache wazero.CompilationCache) guest.Config {
	gc := guest.Config{
		Env: c.Env, EventTime: c.Limits.Event, MemoryMiB: c.Limits.MemoryMiB, OutputBytes: c.Limits.OutputBytes, Cache: cache,
	}
	gc.Instance, _ = guest.ParseReuse(c.Instance)
	if len(c.Consumers) > 0 {
		gc.Needs = []string{hostfn.KindQueue}
	}
	return gc
}

// atMain says where the program that was refused is named, once for each reason.
func atMain(c *config.Config, err error) error {
	if err == nil {
		return nil
	}
	problem := func(why string) error {
		return &config.Problem{At: c.At["main"], Text: inFile(c.Main, why)}
	}
	if _, refused := errors.AsType[*guest.LoadError](err); !refused {
		return problem(err.Error())
	}
	return eachProblem(err, problem)
}

// inFile puts a file's name in front of what is wrong with it, unless it is
// there: a place in a script begins with it.
func inFile(file, why string) string {
	if strings.HasPrefix(why, file+":") {
		return why
	}
	return file + ": " + why
}

// eachProblem takes the refusal of a program apart.
func eachProblem(err error, one func(why string) error) error {
	refused, ok := errors.AsType[*guest.LoadError](err)
	if !ok {
		return err
	}
	var errs []error
	for _, why := range refused.Problems {
		errs = append(errs, one(why))
	}
	return errors.Join(errs...)
}

func closePrograms(ctx context.Context, programs []program) error {
	var errs []error
	for _, p := range programs {
		errs = append(errs, p.Close(ctx))
	}
	return errors.Join(errs...)
}
