package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/hostfn"
)

// closeTime is how long events that do not end keep their programs open.
const closeTime = 2 * time.Second

type runCommand struct {
	Config    []string `short:"c" required:"" sep:"none" placeholder:"FILE" help:"A program's configuration file; may be given several times."`
	Listen    string   `default:"127.0.0.1:8787" placeholder:"HOST:PORT" help:"Where to answer HTTP; port 0 takes a free one. Default: ${default}."`
	Store     string   `placeholder:"URL" help:"The message store, memory: or sqlite:PATH, instead of the files'."`
	LogFormat string   `enum:"text,json" default:"text" help:"How the log is written: ${enum}."`
	LogLevel  string   `enum:"debug,info,warn,error" default:"info" help:"What is logged at least: ${enum}."`
}

func (c *runCommand) run(ctx context.Context, to streams) int {
	log := newLog(to.err, c.LogFormat, c.LogLevel)
	files, warnings, err := loadFiles(c.Config)
	for _, w := range warnings {
		log.Warn("configuration", "warning", w.String())
	}
	if err != nil {
		return to.refuse(err)
	}
	if err := checkListen(c.Listen); err != nil {
		return to.refuse(err)
	}
	store, err := c.chooseStore(files)
	if err != nil {
		return to.refuse(err)
	}
	switch err = c.start(ctx, files, store, to, log); {
	case err == nil:
		return exitStopped
	case isRefused(err):
		return to.refuse(err)
	}
	log.Error("failed", "error", err)
	return exitFailed
}

func isRefused(err error) bool {
	_, ok := errors.AsType[*config.Problem](err)
	return ok
}

func (c *runCommand) chooseStore(files []*config.Config) (openStore, error) {
	url, where := c.Store, "--store"
	if url == "" {
		var err error
		if url, err = config.Store(files...); err != nil {
			return nil, err
		}
		where = files[0].File
		if at, ok := files[0].At["wazqueue.store"]; ok {
			where = at.String()
		}
	}
	store, err := findStore(url)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	return store, nil
}

// start opens what is needed, in the order in which a mistake is likely, and
// serves. Whatever it opened it closes.
func (c *runCommand) start(ctx context.Context, files []*config.Config, open openStore, to streams, log *slog.Logger) (err error) {
	cache := wazero.NewCompilationCache()
	closing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer func() { err = errors.Join(err, cache.Close(closing)) }()
	programs, err := loadPrograms(ctx, files, to, log, cache)
	defer func() {
		time.AfterFunc(closeTime, cancel)
		err = errors.Join(err, closePrograms(closing, programs))
	}()
	if err != nil {
		return unlessStopped(ctx, err)
	}
	store, err := open(ctx)
	if err != nil {
		return unlessStopped(ctx, fmt.Errorf("store: %w", err))
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return unlessStopped(ctx, fmt.Errorf("--listen %s: %w", c.Listen, err))
	}
	defer listener.Close()
	if err := configure(ctx, files, store); err != nil {
		return unlessStopped(ctx, err)
	}
	logFacts(log, programs, store)
	return wire(programs, store, log).serve(ctx, listener)
}

// unlessStopped is nil where a signal came while starting, which is a good end.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// logFacts says what runs, and what looks like a mistake though it can run.
func logFacts(log *slog.Logger, programs []program, store adapter.Adapter) {
	can := store.Capabilities()
	log.Info("store open", "durable", can.Durable, "shared", can.Shared)
	for i, p := range programs {
		fetch := p.Handles(hostfn.KindFetch)
		p.log.Info("program loaded", "main", p.file.Main, "http", i == 0 && fetch, "consumers", len(p.file.Consumers))
		reuse, why := p.Reuse()
		p.log.Info("instances", "instance", reuse, "because", strings.Join(why, "; "))
		for _, k := range p.file.Consumers {
			p.log.Info("consuming", "queue", k.Queue)
		}
		switch {
		case i == 0 && !fetch:
			p.log.Warn("program has no entry for fetch: every request is answered 404")
		case i > 0 && fetch:
			p.log.Info("program gets no HTTP requests: the first file's program does")
		}
		if i > 0 && len(p.file.Consumers) == 0 {
			p.log.Warn("program never runs: it has no consumers and is not the first")
		}
	}
}

func checkListen(address string) error {
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return fmt.Errorf("--listen must be HOST:PORT, such as 127.0.0.1:8787, is %q", address)
	}
	return nil
}
