package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/consumer"
)

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

var silent = slog.New(slog.DiscardHandler)

func TestServeEndsWhenAConsumerFails(t *testing.T) {
	t.Parallel()
	bad := consumer.Config{Queue: "q", MaxBatchSize: 1000}
	s := newService(http.NotFoundHandler(), config.Limits{Grace: time.Minute}, []consumer.Config{bad}, silent)
	if err := s.serve(t.Context(), listen(t)); err == nil || !strings.Contains(err.Error(), "MaxBatchSize 1000") {
		t.Errorf("serve = %v", err)
	}
}

func TestServeEndsWhenTheListenerFails(t *testing.T) {
	t.Parallel()
	l := listen(t)
	l.Close()
	s := newService(http.NotFoundHandler(), config.Limits{Grace: time.Minute}, nil, silent)
	if err := s.serve(t.Context(), l); err == nil || !strings.HasPrefix(err.Error(), "HTTP server: ") {
		t.Errorf("serve = %v", err)
	}
}

// An event that is not over when the grace is gets its context cancelled, and
// its client still gets the answer.
func TestServeEndsEventsAfterTheGrace(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
		http.Error(w, "ended", http.StatusInternalServerError)
	})
	s := newService(h, config.Limits{Grace: time.Millisecond}, nil, silent)
	l := listen(t)
	served := make(chan error, 1)
	go func() { served <- s.serve(ctx, l) }()
	res, err := http.Get("http://" + l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if body, err := io.ReadAll(res.Body); err != nil || string(body) != "ended\n" {
		t.Errorf("answer = %q, %v", body, err)
	}
	if err := <-served; err != nil {
		t.Errorf("serve = %v", err)
	}
}

// The time to read a request is not that of its event.
func TestServeSparesLongEvents(t *testing.T) {
	t.Parallel()
	const limit = 50 * time.Millisecond
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, err := io.ReadAll(r.Body); err != nil {
			t.Error(err)
		}
		select {
		case <-r.Context().Done():
			t.Error("the event was cancelled")
		case <-time.After(4 * limit): // real time: the limit is the socket's
		}
	})
	s := newService(h, config.Limits{Grace: time.Minute}, nil, silent)
	s.server.ReadTimeout = limit
	ctx, stop := context.WithCancel(t.Context())
	l := listen(t)
	served := make(chan error, 1)
	go func() { served <- s.serve(ctx, l) }()
	for _, body := range []string{"", "some"} {
		res, err := http.Post("http://"+l.Addr().String(), "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// While it stops, new requests are refused and running ones are waited for.
func TestGate(t *testing.T) {
	t.Parallel()
	inside, leave := make(chan bool), make(chan bool)
	g := &gate{next: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		inside <- true
		<-leave
	})}
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		g.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		return w
	}
	first := make(chan int)
	go func() { first <- ask().Code }()
	<-inside
	g.shut.Store(true)
	w := ask()
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Connection") != "close" {
		t.Errorf("while stopping: %d %v", w.Code, w.Header())
	}
	idle := make(chan bool)
	go func() {
		g.wait()
		close(idle)
	}()
	select {
	case <-idle:
		t.Error("idle while a request runs")
	default:
	}
	leave <- true
	if code := <-first; code != http.StatusOK {
		t.Errorf("the running request got %d", code)
	}
	<-idle
	g.shut.Store(false)
	if w := ask(); w.Code != http.StatusServiceUnavailable {
		t.Errorf("a request that came in between: %d", w.Code)
	}
}
