package consumer

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

// The causes of an event's cancellation.
var (
	// ErrStopping says that Run stops and the event's grace is over.
	ErrStopping = errors.New("consumer is stopping")
	// ErrLeasesLost says that none of the event's messages is ours any more:
	// whatever it does now, someone else does too.
	ErrLeasesLost = errors.New("all leases of the event are lost")
)

// Run consumes the queue until ctx ends, and then stops gracefully: it receives
// no more, gives back what has not started, lets running events finish within
// Grace, ends the rest, settles them all, and returns nil. It returns an error
// at once for a Config that Check refuses, and later when the adapter was
// closed or a handler does not return though its context has ended.
func Run(ctx context.Context, c Config) error {
	if err := c.runnable(); err != nil {
		return err
	}
	e := newEngine(c)
	receiving, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	running, endEvents := context.WithCancelCause(context.Background())
	settling, giveUp := context.WithCancel(context.Background())
	e.stop = stop
	if e.DeadLetter == "" {
		e.Log.Warn("no dead-letter queue: messages without attempts left are deleted", "max_retries", e.policy.MaxRetries)
	}
	e.start(phases{receiving, running, settling})
	err := e.drain(receiving, func() { endEvents(ErrStopping) }, giveUp)
	if cause := context.Cause(receiving); errors.Is(cause, adapter.ErrClosed) {
		err = errors.Join(fmt.Errorf("consumer of queue %q: receive: %w", e.Queue, cause), err)
	}
	return err
}

// phases are the contexts of one Run in the order in which they end: of
// receiving, of the events, of settling and renewing.
type phases struct{ receive, events, settle context.Context }

func (p phases) stopping() bool { return p.receive.Err() != nil }

// engine is one Run.
type engine struct {
	Config
	policy      batch.Policy
	linger      time.Duration
	maxDelay    time.Duration           // the store's, 0 for no limit
	stop        context.CancelCauseFunc // ends receiving
	outage      outage
	unsupported sync.Once // that renewal is

	workers   sync.WaitGroup
	mu        sync.Mutex
	busy      int  // workers there are
	receiving int  // of which so many receive
	waits     bool // one of these is the one that waits on an empty queue
	wanted    int  // how many are to receive at once
}

func newEngine(c Config) *engine {
	c = c.withDefaults()
	c.Log = c.Log.With("queue", c.Queue)
	return &engine{
		Config:   c,
		policy:   batch.Policy{MaxRetries: *c.MaxRetries, RetryDelay: c.RetryDelay, DeadLetter: c.DeadLetter},
		linger:   *c.MaxBatchTimeout,
		maxDelay: c.Adapter.Capabilities().MaxDelay,
		wanted:   1,
	}
}
