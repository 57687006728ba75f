package conformance

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/wazqueue/wazqueue/"

// The layout is the flow, and imports run downwards only. A folder's packages
// may import these of the project, and whatever lies below themselves.
var mayImport = map[string][]string{
	"validate": nil,
	"bridge":   {"validate"},
	"adapter":  nil,
	"batch":    {"adapter"},
	"hostfn":   {"bridge", "validate", "adapter", "batch"},
	"guest":    {"hostfn"},
	// An engine for programs that are not modules: it knows the seam, not what is below.
	"guest/javascript": {"guest", "hostfn"},
	// The test kit records what adapters get and shows what batches are marked.
	"guest/guesttest": {"guest", "guest/javascript", "hostfn", "adapter", "batch"},
	"consumer":        {"adapter", "batch"},
}

// unbound may import everything: the command, the samples, and what tests only.
var unbound = []string{"cmd", "guest-examples", "internal"}

func TestImportsRunDownwards(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module)
		folder, _, _ := strings.Cut(pkg, "/")
		if slices.Contains(unbound, folder) {
			continue
		}
		rule := pkg
		if _, ok := mayImport[rule]; !ok {
			rule = folder
		}
		allowed, ok := mayImport[rule]
		if !ok {
			t.Errorf("package %s has no place in the layout", pkg)
			continue
		}
		seen[rule] = true
		for _, imported := range words[1:] {
			to, ours := strings.CutPrefix(imported, module)
			if ours && !slices.Contains(allowed, to) && !strings.HasPrefix(to, rule+"/") && to != rule {
				t.Errorf("%s imports %s", pkg, to)
			}
		}
	}
	for rule := range mayImport {
		if !seen[rule] {
			t.Errorf("there is no package %s", rule)
		}
	}
}
