package javascript

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"testing"
)

// The interpreter is the one that its README describes.
func TestQuickJS(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("quickjs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("| sha256 | `%x` |", sha256.Sum256(quickjs))
	if !strings.Contains(string(readme), digest) {
		t.Errorf("README.md does not say %s", digest)
	}
}

// Everything that the host calls is there, and everything that the prelude may
// call is carried out.
func TestNames(t *testing.T) {
	t.Parallel()
	for e, name := range exportNames {
		if name == "" || !strings.Contains(string(quickjs), name) {
			t.Errorf("export %d is %q", e, name)
		}
	}
	text := string(preludeText())
	for _, name := range functionsOfGo {
		if !strings.Contains(text, "host."+name+"(") {
			t.Errorf("nobody calls %s", name)
		}
	}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "host.")
		if !found {
			break
		}
		name, _, _ := strings.Cut(after, "(")
		if !strings.Contains(strings.Join(functionsOfGo, " "), name) {
			t.Errorf("there is no function %s", name)
		}
		rest = after
	}
}
