package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/javascript"
)

type checkCommand struct {
	Files []string `arg:"" name:"file" help:"Programs (.wasm, .js, .mjs) or configuration files (.json, .jsonc)."`
}

func (c *checkCommand) run(ctx context.Context, to streams) int {
	var paths []string
	var errs []error
	for _, file := range c.Files {
		if isConfig(file) {
			paths = append(paths, file)
		} else {
			errs = append(errs, eachProblem(inspect(ctx, to, file, guest.Config{}), func(why string) error {
				return errors.New(inFile(file, why))
			}))
		}
	}
	errs = append(errs, checkFiles(ctx, to, paths))
	if err := errors.Join(errs...); err != nil {
		return to.refuse(err)
	}
	return exitStopped
}

func isConfig(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return ext == ".json" || ext == ".jsonc" || ext == ".toml"
}

// checkFiles checks configuration files as the files of one process.
func checkFiles(ctx context.Context, to streams, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	files, warnings, err := loadFiles(paths)
	for _, w := range warnings {
		fmt.Fprintln(to.err, "warning:", w)
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, c := range files {
		errs = append(errs, atMain(c, inspect(ctx, to, c.Main, guestConfig(c, nil))))
	}
	_, err = config.Store(files...)
	return errors.Join(append(errs, err)...)
}

// inspect prints a report, and returns why the program would be refused.
func inspect(ctx context.Context, to streams, file string, gc guest.Config) error {
	report, err := examine(ctx, file, gc)
	if err != nil {
		return err
	}
	fmt.Fprintln(to.out, file)
	w := tabwriter.NewWriter(to.out, 0, 8, 2, ' ', 0)
	for _, i := range report.Imports {
		state := "offered"
		if !i.Offered {
			state = "MISSING"
		}
		fmt.Fprintf(w, "  import\t%s\t%s.%s\n", state, i.Module, i.Name)
	}
	w.Flush()
	fmt.Fprintf(to.out, "  entries  %s\n  events   %s\n", list(report.Entries), list(report.Kinds))
	if len(report.Problems) > 0 {
		return &guest.LoadError{Problems: report.Problems}
	}
	fmt.Fprintf(to.out, "  instance %s: %s\n", report.Instance, strings.Join(report.Why, "; "))
	if len(report.Kinds) == 0 {
		fmt.Fprintf(to.err, "warning: %s: it handles no events\n", file)
	}
	return nil
}

// examine reports on a compiled program or a script.
func examine(ctx context.Context, file string, c guest.Config) (*guest.Report, error) {
	code, err := os.ReadFile(file)
	switch {
	case err != nil:
		return nil, err
	case javascript.Is(file):
		return javascript.Inspect(ctx, code, file, c)
	}
	return guest.Inspect(ctx, code, c)
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
