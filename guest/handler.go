package guest

import (
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/wazqueue/wazqueue/hostfn"
)

// maxRequestBody is the largest request body a guest is given, in bytes.
const maxRequestBody = 100_000_000

// Handler serves HTTP with a program: every request is one fetch event. It
// answers 204 where the guest gave no answer, 500 where the event failed (the
// log says why, the client is told nothing), 404 where the program has no entry
// for fetch, 413 for a body above 100,000,000 bytes, and 503 when too many
// requests run or the handler was stopped.
type Handler struct {
	Program *Program
	// Grants are the bindings the guest may send to. Defaults to none.
	Grants hostfn.Grants
	// Instances is how many requests may run at once. Defaults to 250.
	Instances int
	// Log gets the events that failed. Defaults to slog.Default().
	Log *slog.Logger

	running atomic.Int64
}

// ServeHTTP implements http.Handler.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.Program.Handles(hostfn.KindFetch) {
		refuse(w, http.StatusNotFound)
		return
	}
	switch {
	case r.Host == "": // HTTP/1.0 needs none, but a URL does
		refuse(w, http.StatusBadRequest)
		return
	case r.ContentLength > maxRequestBody:
		refuse(w, http.StatusRequestEntityTooLarge)
		return
	}
	defer h.running.Add(-1)
	if h.running.Add(1) > h.instances() {
		refuse(w, http.StatusServiceUnavailable)
		return
	}

	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequestBody))
	if err != nil {
		refuse(w, unread(err))
		return
	}
	ev := &hostfn.Event{Kind: hostfn.KindFetch, Grants: h.Grants, Request: request(r, body), Log: h.log()}
	if err := h.Program.Run(r.Context(), ev); err != nil {
		level := slog.LevelError
		if failure, ok := errors.AsType[*Error](err); ok && failure.How == Stopped {
			level = slog.LevelInfo // the client went away, or the server stops
		}
		h.log().Log(r.Context(), level, "event failed", "kind", ev.Kind, "method", r.Method, "path", r.URL.Path, "error", err)
		refuse(w, http.StatusInternalServerError)
		return
	}
	answer(w, ev.Response)
}

func (h *Handler) instances() int64 {
	if h.Instances <= 0 {
		return 250
	}
	return int64(h.Instances)
}

func (h *Handler) log() *slog.Logger {
	if h.Log == nil {
		return slog.Default()
	}
	return h.Log
}

// unread is the status for a body that could not be read.
func unread(err error) int {
	_, tooLarge := errors.AsType[*http.MaxBytesError](err)
	switch {
	case tooLarge:
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

func refuse(w http.ResponseWriter, code int) { http.Error(w, http.StatusText(code), code) }

// request is what a guest is told of r.
func request(r *http.Request, body []byte) *hostfn.Request {
	scheme := "http"
	if r.TLS != nil {
		scheme = "https"
	}
	header := [][2]string{{"host", r.Host}}
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			header = append(header, [2]string{strings.ToLower(name), value})
		}
	}
	return &hostfn.Request{
		Method: r.Method,
		URL:    scheme + "://" + r.Host + r.URL.RequestURI(),
		Header: header,
		Body:   body,
	}
}

// answer writes the guest's response. The connection's own headers are the
// server's to say, whatever the guest wrote.
func answer(w http.ResponseWriter, res *hostfn.Response) {
	if res == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	header := w.Header()
	for _, line := range res.Header {
		header.Add(line[0], line[1])
	}
	for _, name := range []string{"Connection", "Content-Length", "Keep-Alive", "Trailer", "Transfer-Encoding", "Upgrade"} {
		header.Del(name)
	}
	if header.Get("Content-Type") == "" {
		header["Content-Type"] = nil // the guest named none, and nobody guesses
	}
	w.WriteHeader(res.Status)
	_, _ = w.Write(res.Body)
}
