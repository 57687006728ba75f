package batch

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Policy is what a consumer's configuration says of messages that come again.
type Policy struct {
	// MaxRetries: a message is delivered at most 1 + MaxRetries times (B-26).
	MaxRetries int
	// RetryDelay is the delay of a retry that names none.
	RetryDelay time.Duration
	// DeadLetter is the queue that exhausted messages move to. Without one
	// they are deleted (B-29).
	DeadLetter string
	// Hurried makes the unmarked messages of a failed event ready at once
	// instead of after RetryDelay, as when the process is stopping.
	Hurried bool
}

// Exhausted reports whether a delivery is its message's last, or beyond it.
func (p Policy) Exhausted(d adapter.Delivery) bool { return d.Attempts > p.MaxRetries }

// Outcome returns the settlement of each message, in index order, after an
// event that ended well or failed. A failed event's explicit marks stand; what
// it did not mark is retried. A well-ended event's unmarked messages are acked
//
func (b *Batch) Outcome(failed bool, p Policy) []adapter.Settlement {
	out := make([]adapter.Settlement, len(b.deliveries))
	for i, d := range b.deliveries {
		out[i] = settle(d, b.marks[i], failed, p)
	}
	return out
}

func settle(d adapter.Delivery, m Mark, failed bool, p Policy) adapter.Settlement {
	switch {
	case m.Verb == Released:
		return adapter.Settlement{Lease: d.Lease, Do: adapter.Retry, Delay: m.Delay, Uncounted: true}
	case m.Verb == Acked, m.Verb == Unmarked && !failed:
		return adapter.Settlement{Lease: d.Lease, Do: adapter.Ack}
	case p.Exhausted(d):
		return p.Bury(d)
	}
	return adapter.Settlement{Lease: d.Lease, Do: adapter.Retry, Delay: delay(m, p)}
}

// Bury is the settlement of a message whose attempts are used up: a move to
// the dead-letter queue, or its removal where there is none.
func (p Policy) Bury(d adapter.Delivery) adapter.Settlement {
	if p.DeadLetter == "" {
		return adapter.Settlement{Lease: d.Lease, Do: adapter.Ack}
	}
	return adapter.Settlement{Lease: d.Lease, Do: adapter.Move, To: p.DeadLetter}
}

func delay(m Mark, p Policy) time.Duration {
	switch {
	case m.Verb == Retried && m.Delay > 0:
		return m.Delay
	case m.Verb == Unmarked && p.Hurried:
		return 0
	}
	return p.RetryDelay
}
