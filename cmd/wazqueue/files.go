package main

import (
	"errors"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
)

// loadFiles reads the files of one process and checks them together. Its error
// names every problem of every file.
func loadFiles(paths []string) ([]*config.Config, []config.Warning, error) {
	var files []*config.Config
	var warnings []config.Warning
	var errs []error
	for _, path := range paths {
		c, ws, err := config.Load(path)
		files = append(files, c)
		warnings = append(warnings, ws...)
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, warnings, err
	}
	together, err := config.Together(files...)
	return files, append(warnings, together...), err
}
