package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"wazqueue": main})
}

// TestScript runs the command as its users do. The folder guests has the
// compiled probes, whose README says what each can be told to do.
func TestScript(t *testing.T) {
	t.Parallel()
	guests := os.DirFS("../../testdata/guests")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Values[runningKey{}] = new(*running)
			return os.CopyFS(filepath.Join(env.WorkDir, "guests"), guests)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":   code,
			"start":  start,
			"http":   request,
			"await":  await,
			"occupy": occupy,
			"signal": sendSignal,
			"ended":  ended,
		},
	})
}
