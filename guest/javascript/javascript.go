// Package javascript runs programs that are plain JavaScript: a file whose
// exports fetch and queue handle events. The interpreter is QuickJS, compiled to
// WebAssembly, so a script is a guest like any other: it has the same host
// functions, limits and isolation, and its instances are put back between events
// to what evaluating the script left. The package imports guest and hostfn.
package javascript

import (
	"context"
	_ "embed"
	"path/filepath"
	"strings"

	"github.com/wazqueue/wazqueue/guest"
)

// quickjs is the interpreter; quickjs/README.md says where it is from.
//
//go:embed quickjs/quickjs.wasm
var quickjs []byte

// Is reports whether a file's name is that of a script: .js or .mjs.
func Is(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return ext == ".js" || ext == ".mjs"
}

// Load evaluates a script and checks that it can run, like guest.Load. Its name
// is what stack traces call it.
func Load(ctx context.Context, source []byte, name string, c guest.Config) (*guest.Program, error) {
	e, err := newEngine(source, name, c)
	if err != nil {
		return nil, err
	}
	return guest.LoadEngine(ctx, e, c)
}

// Inspect reports which events a script could serve, and why Load would refuse
// it under the same configuration, like guest.Inspect.
func Inspect(ctx context.Context, source []byte, name string, c guest.Config) (*guest.Report, error) {
	e, err := newEngine(source, name, c)
	if err != nil {
		return nil, err
	}
	return guest.InspectEngine(ctx, e, c)
}
