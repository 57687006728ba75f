package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/consumer"
)

const (
	headerTime   = 10 * time.Second
	bodyTime     = 5 * time.Minute // for 100 MB on a slow line
	idleTime     = 2 * time.Minute
	headerBytes  = 64 << 10
	unwindTime   = 5 * time.Second // for events that were ended to be over
	shutdownTime = 2 * time.Second // for answers to be sent
)

// service is what runs between start and stop.
type service struct {
	log       *slog.Logger
	consumers []consumer.Config
	gate      *gate
	server    *http.Server
	grace     time.Duration // of HTTP events; each consumer has its own
	endEvents context.CancelFunc
}

// newService is for a handler of HTTP, which is the first program's, with that
// program's limits, and for the consumers of all programs.
func newService(h http.Handler, first config.Limits, all []consumer.Config, log *slog.Logger) *service {
	events, endEvents := context.WithCancel(context.Background())
	s := &service{log: log, consumers: all, gate: &gate{next: h}, grace: first.Grace, endEvents: endEvents}
	s.server = &http.Server{
		Handler:           s.gate,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       bodyTime, // ends with the body: an event may run for longer
		WriteTimeout:      bodyTime + first.Event + time.Minute,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		BaseContext:       func(net.Listener) context.Context { return events },
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	return s
}

// serve answers HTTP and consumes queues until ctx ends, which is the good end,
// or one of them fails. Either way it stops gracefully before it returns.
func (s *service) serve(ctx context.Context, l net.Listener) error {
	receiving, stopReceiving := context.WithCancel(ctx)
	defer stopReceiving()
	failures := make(chan error, len(s.consumers)+1)
	var consuming, listening sync.WaitGroup
	for _, c := range s.consumers {
		consuming.Go(func() { failures <- consumer.Run(receiving, c) })
	}
	listening.Go(func() { failures <- notClosed(s.server.Serve(l)) })
	s.log.Info("listening", "url", "http://"+l.Addr().String())

	failure := waitEnd(ctx, failures)
	stopReceiving()
	s.gate.shut.Store(true)
	if failure == nil {
		s.log.Info("stopping", "grace", s.grace)
	} else {
		s.log.Info("stopping", "grace", s.grace, "because", failure)
	}
	s.stop(&consuming)
	listening.Wait()
	close(failures)
	for err := range failures {
		failure = errors.Join(failure, err)
	}
	return failure
}

// waitEnd returns nil when ctx ends and an error when something fails first.
func waitEnd(ctx context.Context, failures <-chan error) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failures:
			if err != nil {
				return err
			}
		}
	}
}

// stop waits for HTTP events and for the consumers, whose receiving has ended.
// The listener stays open until both are done, so that whoever asks meanwhile
// is told 503 instead of finding nobody.
func (s *service) stop(consuming *sync.WaitGroup) {
	idle := make(chan struct{})
	go func() {
		s.gate.wait()
		close(idle)
	}()
	if !within(idle, s.grace) {
		s.log.Warn("HTTP events did not end within the grace and are ended")
		s.endEvents()
		if !within(idle, unwindTime) {
			s.log.Error("HTTP events do not end")
		}
	}
	consuming.Wait()
	s.endEvents()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := s.server.Shutdown(ctx); err != nil {
		s.server.Close()
	}
}

func within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}

func notClosed(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("HTTP server: %w", err)
}

// gate lets requests through until it is shut, and knows when the last of them
// is done.
type gate struct {
	next    http.Handler
	shut    atomic.Bool
	running sync.RWMutex // read-locked by each request
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.shut.Load() || !g.running.TryRLock() {
		w.Header().Set("Connection", "close")
		http.Error(w, http.StatusText(http.StatusServiceUnavailable), http.StatusServiceUnavailable)
		return
	}
	defer g.running.RUnlock()
	g.next.ServeHTTP(w, r)
}

// wait returns when no request is running; none is let through after.
func (g *gate) wait() { g.running.Lock() }
