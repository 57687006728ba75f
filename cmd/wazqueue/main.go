// Command wazqueue runs WebAssembly programs that send and handle messages: it
// serves HTTP with one of them, hands queued batches to all, and keeps the
// queues in the store it is told. It is the one place of this project that
// names the backends and joins the engine to the programs.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// Exit codes, which scripts and supervisors rely on.
const (
	exitStopped = 0 // by a signal, or the command is done
	exitFailed  = 1 // while running
	exitRefused = 2 // wrong usage or configuration
)

// commands is the command line.
type commands struct {
	Run     runCommand     `cmd:"" help:"Run programs: serve HTTP and handle queues until a signal comes."`
	Check   checkCommand   `cmd:"" help:"Say what a program imports, which events it handles and whether it would run."`
	Version versionCommand `cmd:"" help:"Print the version."`
}

func main() {
	ctx, stop := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		stop()
		<-signals
		fmt.Fprintln(os.Stderr, "wazqueue: stopped at once by a second signal")
		os.Exit(exitFailed)
	}()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// streams are where a command writes. Both may be written to from several
// goroutines.
type streams struct{ out, err io.Writer }

// run is the command: it parses args, does what they say until that is done or
// ctx ends, and returns the exit code. Nothing reads stdin yet.
func run(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) int {
	to := streams{&lockedWriter{w: stdout}, &lockedWriter{w: stderr}}
	var cli commands
	helped := false
	parser, err := kong.New(&cli,
		kong.Name("wazqueue"), kong.Description(about), kong.Writers(to.out, to.err),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(func(int) { helped = true }))
	if err != nil {
		return to.refuse(err)
	}
	parsed, err := parser.Parse(args)
	switch {
	case helped:
		return exitStopped
	case err != nil:
		return to.refuse(fmt.Errorf("wazqueue: %w\nwazqueue --help says more", err))
	}
	switch name, _, _ := strings.Cut(parsed.Command(), " "); name {
	case "run":
		return cli.Run.run(ctx, to)
	case "check":
		return cli.Check.run(ctx, to)
	default:
		return cli.Version.run(to)
	}
}

// refuse says what is wrong with the usage or the configuration.
func (to streams) refuse(err error) int {
	fmt.Fprintln(to.err, err)
	return exitRefused
}
