package consumer

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

// Event is what Observe is told. Every message of a Received is counted in one
// later Ended or Skipped.
type Event struct {
	Kind  Kind
	Queue string
	// Messages is how many it is about.
	Messages int
	// Duration is how long the handler of an Ended ran.
	Duration time.Duration
	// Err is why an Ended failed, nil where it ended well.
	Err error
	Counts
}

// Kind is what an Event tells.
type Kind uint8

const (
	// Received: a batch was leased.
	Received Kind = iota
	// Ended: an event's handler returned and its messages are settled.
	Ended
	// Skipped: messages were settled without running the handler: moved or
	// deleted because their workers died on them, released because Run stops,
	// or lost while they waited.
	Skipped
)

// String returns received, ended or skipped.
func (k Kind) String() string { return [...]string{"received", "ended", "skipped"}[k] }

// Counts say what became of messages. Retried and Released ones come again,
// Moved ones are in the dead-letter queue, Deleted ones had no attempts left
// and no dead-letter queue. The leases of Lost ones were gone, so that they
// were delivered again; Unsettled ones were given up on when Run stopped, and
// come again when their leases end.
type Counts struct {
	Acked, Retried, Released, Moved, Deleted, Lost, Unsettled int
}

// end is what became of one message.
type end uint8

const (
	acked end = iota
	retried
	released
	moved
	deleted
	lost
	unsettled
)

func (c *Counts) add(e end) {
	*[...]*int{&c.Acked, &c.Retried, &c.Released, &c.Moved, &c.Deleted, &c.Lost, &c.Unsettled}[e]++
}

// endOf tells what a settlement means, which an Ack alone does not: exhausted
// messages without a dead-letter queue are acked too.
func endOf(s adapter.Settlement, m batch.Mark, failed bool) end {
	switch {
	case s.Do == adapter.Move:
		return moved
	case s.Do == adapter.Retry && s.Uncounted:
		return released
	case s.Do == adapter.Retry:
		return retried
	case m.Verb == batch.Retried, m.Verb == batch.Unmarked && failed:
		return deleted
	}
	return acked
}
