package rewrite_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wazqueue/wazqueue/guest/rewrite"
)

// What the host has for guests to read.
var texts = map[string]string{
	"读取队列批次": `{"queue":"page-render","messages":[` + strings.Repeat(message+",", 9) + message + `]}`,
	"读取入站请求": `{"method":"POST","url":"http://localhost/render?delay=5","headers":[["host","localhost"],["x",""]]}`,
	"读取入站正文": `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`,
}

const message = `{"id":"0123456789abcdef0123456789abcdef","attempts":2,"timestamp":1700000000000,` +
	`"body":{"kind":"page","url":"/release/x","version":"v8","list":[1,2.5,{"a":"\u00e9"}],"refresh":true}}`

// offer gives a module everything it imports: wazero's WASI, whose clocks and
// random numbers are the same in every run, and functions that give the texts or 0.
func offer(tb testing.TB, r wazero.Runtime, wasm wazero.CompiledModule) {
	tb.Helper()
	builders := map[string]wazero.HostModuleBuilder{}
	for _, f := range wasm.ImportedFunctions() {
		module, name, _ := f.Import()
		switch module {
		case rewrite.CheckModule:
			continue
		case wasi_snapshot_preview1.ModuleName:
			if r.Module(module) == nil {
				wasi_snapshot_preview1.MustInstantiate(context.Background(), r)
			}
			continue
		}
		b := builders[module]
		if b == nil {
			b = r.NewHostModuleBuilder(module)
			builders[module] = b
		}
		b.NewFunctionBuilder().WithGoModuleFunction(host(name, f), f.ParamTypes(), f.ResultTypes()).Export(name)
	}
	for _, b := range builders {
		if _, err := b.Instantiate(context.Background()); err != nil {
			tb.Fatal(err)
		}
	}
}

func host(name string, f api.FunctionDefinition) api.GoModuleFunc {
	text, hasText := texts[name]
	results := len(f.ResultTypes())
	return func(_ context.Context, m api.Module, stack []uint64) {
		if hasText {
			if uint32(stack[1]) >= uint32(len(text)) && !m.Memory().WriteString(uint32(stack[0]), text) {
				panic("outside of memory")
			}
			stack[0] = uint64(len(text))
			return
		}
		clear(stack[:results])
	}
}
