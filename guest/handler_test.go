package guest_test

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// serve starts an HTTP server on a program.
func serve(t *testing.T, g *guesttest.Guest, h *guest.Handler) *httptest.Server {
	t.Helper()
	h.Program, h.Grants = g.Program, g.Grants
	if h.Log == nil {
		h.Log = slog.New(slog.DiscardHandler)
	}
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

func post(t *testing.T, url string, body io.Reader) (int, http.Header, string) {
	t.Helper()
	res, err := http.Post(url, "text/plain", body)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, res.Header, string(text)
}

func TestHandlerStatus(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := serve(t, probe(t, guest.Config{}), &guest.Handler{Log: slog.New(slog.NewTextHandler(&log, nil))})
	tests := []struct {
		name, script string
		status       int
		body         string
	}{
		{"an answer", "respond 201 2 5\n[]hello", 201, "hello"},
		{"no answer", "exit 0", 204, ""},
		{"a trap says nothing of the inside", "trap", 500, "Internal Server Error\n"},
		{"an abort says nothing of the inside", "send OTHER 0 1\n1", 500, "Internal Server Error\n"},
		{"a failed event is a 500 whatever it answered", "respond 200 2 2\n[]okfail", 500, "Internal Server Error\n"},
		{"status 204 has no body", "respond 204 2 0\n[]", 204, ""},
		{"status 599", "respond 599 2 0\n[]", 599, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, _, body := post(t, s.URL, strings.NewReader(tt.script))
			if status != tt.status || body != tt.body {
				t.Errorf("answered %d %q, want %d %q", status, body, tt.status, tt.body)
			}
		})
	}
	if !contains(log.String(), `msg="event failed"`, "未授权的QUEUE绑定：OTHER", "unreachable", "returned 1") {
		t.Errorf("the log says %s", log.String())
	}
}

func TestHandlerHeaders(t *testing.T) {
	t.Parallel()
	s := serve(t, probe(t, guest.Config{}), &guest.Handler{})
	headers := `[["X-A","1"],["x-a","2"],["Content-Length","999"],["Transfer-Encoding","chunked"],["Connection","close"]]`
	status, header, body := post(t, s.URL, strings.NewReader(fmt.Sprintf("respond 200 %d 2\n%sok", len(headers), headers)))
	if status != 200 || body != "ok" || header.Get("Content-Length") != "2" {
		t.Errorf("answered %d %q %v", status, body, header)
	}
	if d := cmp.Diff([]string{"1", "2"}, header.Values("X-A")); d != "" {
		t.Error(d)
	}
	if _, guessed := header["Content-Type"]; guessed {
		t.Errorf("a content type was guessed: %v", header)
	}
}

func TestHandlerRequest(t *testing.T) {
	t.Parallel()
	s := serve(t, probe(t, guest.Config{}), &guest.Handler{})
	req, _ := http.NewRequest("PUT", s.URL+"/a%20b?q=%E4%B8%AD&x=1", strings.NewReader("request"))
	req.Host = "example.test"
	req.Header = http.Header{"X-Two": {"a", "b"}, "User-Agent": {"t"}, "Accept-Encoding": {"identity"}, "X-Raw": {"\xff<&>"}}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(res.Body)
	want := `{"method":"PUT","url":"http://example.test/a%20b?q=%E4%B8%AD&x=1","headers":[["host","example.test"],` +
		`["accept-encoding","identity"],["content-length","7"],["user-agent","t"],["x-raw","` + "\uFFFD" + `<&>"],["x-two","a"],["x-two","b"]]}`
	_, got, _ := strings.Cut(string(body), "=")
	if d := cmp.Diff(want+"\n", got); d != "" {
		t.Error(d)
	}
}

func TestHandlerLimits(t *testing.T) {
	t.Parallel()
	g := probe(t, guest.Config{})
	s := serve(t, g, &guest.Handler{Instances: 1})

	var running sync.WaitGroup
	running.Go(func() { post(t, s.URL, strings.NewReader("sleep 1000")) })
	time.Sleep(200 * time.Millisecond)
	if status, _, _ := post(t, s.URL, strings.NewReader("kind")); status != 503 {
		t.Errorf("beyond the instances: %d", status)
	}
	running.Wait()
	if status, _, _ := post(t, s.URL, strings.NewReader("kind")); status != 200 {
		t.Errorf("after it: %d", status)
	}
}

func TestHandlerBodyTooLarge(t *testing.T) {
	t.Parallel()
	h := &guest.Handler{Program: guesttest.Load(t, guests+"command.wasm").Program}
	for _, tt := range []struct {
		size   int64
		status int
	}{{100_000_000, 204}, {100_000_001, 413}} {
		w := httptest.NewRecorder()
		h.Log = slog.New(slog.DiscardHandler)
		h.ServeHTTP(w, httptest.NewRequest("POST", "/", io.LimitReader(zeros{}, tt.size)))
		if w.Code != tt.status {
			t.Errorf("%d bytes: %d", tt.size, w.Code)
		}
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func TestHandlerNotFound(t *testing.T) {
	t.Parallel()
	g := guesttest.Load(t, guests+"noentry.wasm")
	if status, _, _ := post(t, serve(t, g, &guest.Handler{}).URL, nil); status != 404 {
		t.Errorf("no entry for fetch: %d", status)
	}
}
