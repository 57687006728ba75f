// Package consumer receives a queue's batches, runs a handler on each, keeps
// their leases while it runs, and settles what it left. The handler is a func,
// so the package knows nothing of WebAssembly: it imports adapter and batch
// and nothing else of this project.
package consumer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"time"
	"unicode/utf8"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

// The ranges of a Config's fields.
const (
	maxBatchSize    = 100
	maxBatchTimeout = time.Minute
	maxRetries      = 100
	maxRetryDelay   = 24 * time.Hour
	maxConcurrency  = 250
	minLease        = 100 * time.Millisecond
	maxLease        = 12 * time.Hour
)

// Config says how one queue is consumed. Adapter, Queue and Handler are needed;
// the zero value of every other field is its default.
type Config struct {
	// Adapter holds the queue, and the dead-letter queue.
	Adapter adapter.Adapter
	// Queue is the queue's name.
	Queue string
	// Handler handles one batch; up to MaxConcurrency run at once. The batch is
	// its own until it returns. An error or a panic means that the event failed.
	// So has every event whose context was cancelled, whatever the handler
	// returns: context.Cause is then ErrStopping or ErrLeasesLost.
	// The context carries nothing but that.
	Handler func(ctx context.Context, b *batch.Batch) error
	// MaxBatchSize is the most messages of a batch, 1..100. Defaults to 10.
	MaxBatchSize int
	// MaxBatchTimeout is how long a batch's first message waits for the others,
	// 0..60 s. Defaults to 5 s.
	MaxBatchTimeout *time.Duration
	// MaxRetries is how often a message comes again after its first delivery,
	// 0..100. Defaults to 3.
	MaxRetries *int
	// RetryDelay is the delay of a retry that names none, 0..24 h. Defaults to 0.
	RetryDelay time.Duration
	// DeadLetter is the queue that messages without attempts left move to.
	// Defaults to none: they are deleted.
	DeadLetter string
	// MaxConcurrency is the most batches in work at once, 1..250. Defaults to
	// four times the processors.
	MaxConcurrency int
	// Lease is how long a message stays ours without a renewal, 100 ms..12 h;
	// it is renewed while its event runs. Defaults to 30 s.
	Lease time.Duration
	// Grace is how long running events may go on once Run is to stop, a
	// nanosecond being as good as none. Defaults to 10 s.
	Grace time.Duration
	// Alone picks messages that get an event of their own, because they might
	// make it fail. Workers call it, several at once. Defaults to none.
	Alone func(adapter.Delivery) bool
	// Log gets what an operator needs to know, never a body. Defaults to
	// slog.Default.
	Log *slog.Logger
	// Observe is told what became of each batch. It is called by the worker
	// that did it, several at once, and holds that worker up until it returns.
	// Defaults to none.
	Observe func(Event)
}

func (c Config) withDefaults() Config {
	if c.MaxBatchSize == 0 {
		c.MaxBatchSize = 10
	}
	if c.MaxBatchTimeout == nil {
		c.MaxBatchTimeout = new(5 * time.Second)
	}
	if c.MaxRetries == nil {
		c.MaxRetries = new(3)
	}
	if c.MaxConcurrency == 0 {
		c.MaxConcurrency = min(4*runtime.GOMAXPROCS(0), maxConcurrency)
	}
	if c.Lease == 0 {
		c.Lease = adapter.DefaultLease
	}
	if c.Grace == 0 {
		c.Grace = 10 * time.Second
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Observe == nil {
		c.Observe = func(Event) {}
	}
	return c
}

// check returns what is wrong with the values of c, nothing left out.
func (c Config) check() error {
	c = c.withDefaults()
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf("consumer of queue %q: "+format, append([]any{c.Queue}, args...)...))
		}
	}
	refuse(c.Queue == "", "Queue is empty")
	refuse(!utf8.ValidString(c.Queue), "Queue is not valid UTF-8")
	refuse(!utf8.ValidString(c.DeadLetter), "DeadLetter %q is not valid UTF-8", c.DeadLetter)
	refuse(c.MaxBatchSize < 1 || c.MaxBatchSize > maxBatchSize, "MaxBatchSize %d is outside 1..%d", c.MaxBatchSize, maxBatchSize)
	refuse(*c.MaxBatchTimeout < 0 || *c.MaxBatchTimeout > maxBatchTimeout, "MaxBatchTimeout %v is outside 0..60s", *c.MaxBatchTimeout)
	refuse(*c.MaxRetries < 0 || *c.MaxRetries > maxRetries, "MaxRetries %d is outside 0..%d", *c.MaxRetries, maxRetries)
	refuse(c.RetryDelay < 0 || c.RetryDelay > maxRetryDelay, "RetryDelay %v is outside 0..24h", c.RetryDelay)
	refuse(c.MaxConcurrency < 1 || c.MaxConcurrency > maxConcurrency, "MaxConcurrency %d is outside 1..%d", c.MaxConcurrency, maxConcurrency)
	refuse(c.Lease < minLease || c.Lease > maxLease, "Lease %v is outside 100ms..12h", c.Lease)
	refuse(c.Grace < 0, "Grace %v is negative", c.Grace)
	return errors.Join(errs...)
}

// runnable is check, and what Run needs beyond it.
func (c Config) runnable() error {
	switch err := Check(c); {
	case err != nil:
		return err
	case c.Adapter == nil:
		return fmt.Errorf("consumer of queue %q: Adapter is nil", c.Queue)
	case c.Handler == nil:
		return fmt.Errorf("consumer of queue %q: Handler is nil", c.Queue)
	}
	if longest := c.Adapter.Capabilities().MaxDelay; longest > 0 && c.RetryDelay > longest {
		return fmt.Errorf("consumer of queue %q: RetryDelay %v is longer than its store takes (%v)", c.Queue, c.RetryDelay, longest)
	}
	return nil
}
