package guest_test

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
)

// What cannot run is refused at start-up, with everything that is missing.
func TestLoadRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		wasm   []byte
		config guest.Config
		want   []string
	}{
		{"missing imports", module(t, "missing-import"), guest.Config{}, []string{
			"import 消息队列.不存在 is not offered", "import env.foo is not offered"}},
		{"import of another type", module(t, "wrong-import"), guest.Config{}, []string{
			"import 消息队列.发送队列消息 has the type (i32 i32 i32 i32 i32) → (i32), the host offers (i32 i32 i32 i32 i64) → (i32)"}},
		{"no entry for queue", module(t, "noentry"), guest.Config{Needs: []string{"queue"}}, []string{
			"no entry for queue events: export 处理队列批次 or queue or _start"}},
		{"entries of a wrong type", module(t, "badsig"), guest.Config{}, []string{
			"export queue has the type (i32) → (): an entry takes no parameters and returns nothing or an i32",
			"export fetch has the type () → (i64): an entry takes no parameters and returns nothing or an i32"}},
		{"too much memory", module(t, "bigmem"), guest.Config{}, []string{
			"it needs more memory than the limit of 128 MiB: section memory: min 3200 pages (200 Mi) over limit of 2048 pages (128 Mi)"}},
		{"empty", nil, guest.Config{}, []string{"not a WebAssembly module: it does not begin with \\0asm"}},
		{"not WebAssembly", []byte("#!/bin/sh\n"), guest.Config{}, []string{"not a WebAssembly module: it does not begin with \\0asm"}},
		{"a component", []byte("\x00asm\x0d\x00\x01\x00"), guest.Config{}, []string{"a WebAssembly component: a core module is needed"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p, err := guest.Load(t.Context(), tt.wasm, tt.config)
			if err == nil {
				p.Close(t.Context())
				t.Fatal("it was taken")
			}
			refusal, ok := errors.AsType[*guest.LoadError](err)
			if !ok {
				t.Fatalf("error %v", err)
			}
			if d := cmp.Diff(tt.want, refusal.Problems); d != "" {
				t.Error(d)
			}
		})
	}
}

// A module that cannot start is refused once, not at every event.
func TestLoadStartsAnInstance(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"start-trap":  "unreachable",
		"start-calls": "guest aborted: 初始化期间没有事件",
		"init-calls":  "初始化期间没有事件",
	} {
		_, err := guest.Load(t.Context(), module(t, name), guest.Config{})
		if refusal, ok := errors.AsType[*guest.LoadError](err); !ok || !contains(refusal.Error(), "an instance does not start: ", want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTruncatedModules(t *testing.T) {
	t.Parallel()
	whole := module(t, "ascii")
	for n := range whole {
		p, err := guest.Load(t.Context(), whole[:n], guest.Config{})
		if err == nil {
			p.Close(t.Context()) // some prefixes are modules of their own
			continue
		}
		if _, ok := errors.AsType[*guest.LoadError](err); !ok {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
}

func TestInspect(t *testing.T) {
	t.Parallel()
	r, err := guest.Inspect(t.Context(), module(t, "missing-import"), guest.Config{})
	if err != nil {
		t.Fatal(err)
	}
	want := []guest.Import{{"消息队列", "不存在", false}, {"env", "foo", false}, {"消息队列", "确认队列消息", true}}
	if d := cmp.Diff(want, r.Imports); d != "" {
		t.Error(d)
	}
	if len(r.Problems) != 2 {
		t.Errorf("problems: %q", r.Problems)
	}
	r, err = guest.Inspect(t.Context(), module(t, "probe"), guest.Config{})
	if err != nil || len(r.Problems) > 0 {
		t.Fatalf("probe: %v, %q", err, r.Problems)
	}
	if d := cmp.Diff([]string{"queue", "fetch"}, r.Kinds); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"queue", "fetch"}, r.Entries); d != "" {
		t.Error(d)
	}
}

func module(t testing.TB, name string) []byte {
	t.Helper()
	wasm, err := os.ReadFile(guests + name + ".wasm")
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}
