package javascript_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// compilations is shared: compiling the interpreter takes far longer than a test.
var compilations = sync.OnceValue(wazero.NewCompilationCache)

// script loads a source as app.js, permitted to use PAGE_QUEUE.
func script(t testing.TB, source string) *guesttest.Guest {
	t.Helper()
	return scriptConfig(t, source, guest.Config{}, "PAGE_QUEUE")
}

func scriptConfig(t testing.TB, source string, c guest.Config, bindings ...string) *guesttest.Guest {
	t.Helper()
	file := filepath.Join(t.TempDir(), "app.js")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	c.Cache = compilations()
	return guesttest.LoadConfig(t, file, c, bindings...)
}

// ask makes a request and returns the answer's body. A failed event fails the test.
func ask(t testing.TB, g *guesttest.Guest) string {
	t.Helper()
	return post(t, g, "")
}

func post(t testing.TB, g *guesttest.Guest, body string) string {
	t.Helper()
	r, err := g.Fetch("POST", "http://host:8787/a/b?c=d", body, [2]string{"host", "host:8787"}, [2]string{"x-a", "1"})
	if err != nil {
		t.Fatal(err)
	}
	return string(r.Body)
}

// answers runs the statements of a fetch handler, whose value it returns as text.
func answers(t testing.TB, statements string) string {
	t.Helper()
	return ask(t, script(t, fetching(statements)))
}

// fetching is a script whose fetch runs statements.
func fetching(statements string) string {
	return "export async function fetch(request, env, context) { " + statements + " }"
}

// saying is a script whose fetch answers what statements return, as text, or the
// message of the Error that they throw.
func saying(statements string) string {
	return `export async function fetch(request, env) {
		try { return new Response(String(await (async () => { ` + statements + ` })())) }
		catch (e) { return new Response(e instanceof Error ? e.message : "not an Error: " + e) }
	}`
}

// failure is how an event failed.
func failure(t testing.TB, err error) *guest.Error {
	t.Helper()
	e, ok := errors.AsType[*guest.Error](err)
	if !ok {
		t.Fatalf("ended with %v", err)
	}
	return e
}
