// Package batch holds one leased batch while a handler works on it: what the
// handler marked, and from that the settlement of each message. It has no
// clock and does no I/O, so that the engine, an embedder's own loop and the
// test kit settle by the same rules. It imports adapter and nothing else of
// this project.
package batch

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Batch is one leased batch and the marks on it. It belongs to one goroutine
// at a time: the handler's, then that of whoever settles it.
type Batch struct {
	queue      string
	deliveries []adapter.Delivery
	marks      []Mark
	conflicts  []Conflict
}

// New is a batch without marks. It keeps deliveries and does not change them.
func New(queue string, deliveries []adapter.Delivery) *Batch {
	return &Batch{queue: queue, deliveries: deliveries, marks: make([]Mark, len(deliveries))}
}

// Queue is the name of the queue the batch came from.
func (b *Batch) Queue() string { return b.queue }

// Len is the number of messages.
func (b *Batch) Len() int { return len(b.deliveries) }

// Deliveries are the messages in index order. Nobody writes to them.
func (b *Batch) Deliveries() []adapter.Delivery { return b.deliveries }

// Mark is what a handler said of one message.
type Mark struct {
	Verb  Verb
	Delay time.Duration // of a retry or release; a retry's 0 means the policy's
}

// Verb is the kind of a mark.
type Verb uint8

// The marks a message can carry.
const (
	Unmarked Verb = iota
	Acked
	Retried
	Released
)

// String returns unmarked, ack, retry or release.
func (v Verb) String() string {
	return [...]string{"unmarked", "ack", "retry", "release"}[v]
}

// Conflict is a call that came after a different mark on its message and had
// no effect.
type Conflict struct {
	Index  int
	Call   Verb
	Stands Verb
}

// Mark returns the mark on message i.
func (b *Batch) Mark(i int) Mark { return b.marks[i] }

// Conflicts lists the calls that lost, in the order they were made, at most
// one a message and verb.
func (b *Batch) Conflicts() []Conflict { return b.conflicts }

// Ack marks message i as handled. Like its siblings it panics for an
// index outside the batch.
func (b *Batch) Ack(i int) { b.mark(i, Mark{Verb: Acked}) }

// Retry asks for message i again after delay, 0 being the policy's. Of
// several retries the last delay stands.
func (b *Batch) Retry(i int, delay time.Duration) { b.mark(i, Mark{Retried, delay}) }

// Release gives message i back without using up its attempt, to be ready after
// delay. Of several releases the last delay stands.
func (b *Batch) Release(i int, delay time.Duration) { b.mark(i, Mark{Released, delay}) }

func (b *Batch) mark(i int, m Mark) {
	switch stands := b.marks[i].Verb; stands {
	case Unmarked, m.Verb:
		b.marks[i] = m
	default:
		b.lose(Conflict{Index: i, Call: m.Verb, Stands: stands})
	}
}

// lose records a losing call once, so that a guest in a loop cannot make the
// list grow.
func (b *Batch) lose(c Conflict) {
	for _, known := range b.conflicts {
		if known == c {
			return
		}
	}
	b.conflicts = append(b.conflicts, c)
}
