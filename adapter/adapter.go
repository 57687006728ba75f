// Package adapter is the contract between wazqueue and a queue engine: the
// verbs an engine offers, the values that cross, and the errors that come
// back. One folder below it holds each engine; adaptertest is the suite every
// one of them passes. The package imports nothing else of this project.
package adapter

import (
	"context"
	"time"
)

// DefaultRetention is how long a message is kept that nobody settles, where
// the queue's settings name no other time.
const DefaultRetention = 4 * 24 * time.Hour

// Adapter is a queue engine. It is safe for concurrent use. Queue names are
// any non-empty valid UTF-8 text. Slices that a caller passes stay the
// caller's: an adapter copies what it keeps before it returns. Slices that it
// returns are the caller's too, apart from the bytes of a Delivery's Body,
// which several deliveries may share and nobody writes to.
//
// Every method returns ctx.Err() (wrapped or not) when ctx ends first, and
// ErrClosed after Close. An adapter repeats inside a call only what its engine
// asks to be repeated; waiting and reconnecting is the caller's. It does not log.
type Adapter interface {
	// Send stores the messages in order, all or none, and returns when they
	// are as durable as the engine makes them. It creates the queue. Without
	// messages it does nothing. A message without a delay gets the queue's
	// DeliveryDelay. A send the engine will not take is a Refused error.
	Send(ctx context.Context, queue string, msgs ...Message) error

	// Receive leases at most o.Max messages that are ready and returns as soon
	// as o.Max are, or the first of them has been ready for o.Linger; with none
	// ready it returns an empty slice after o.Wait. It leases exactly what it
	// returns. A queue that does not exist is waited for like an empty one. A
	// paused queue gives ErrPaused at once, also when paused while waiting.
	Receive(ctx context.Context, queue string, o ReceiveOptions) ([]Delivery, error)

	// Settle ends leases. Where some items cannot be settled it returns a
	// *PartialError that names them; the others are done. A lease that is lost
	// gives ErrLeaseLost for its item and changes nothing.
	Settle(ctx context.Context, queue string, s ...Settlement) error

	// Extend makes the leases end d from now. Those that are lost are named
	// with ErrLeaseLost in a *PartialError; the others are extended.
	Extend(ctx context.Context, queue string, d time.Duration, leases ...Lease) error

	// Queues lists all queues by name.
	Queues(ctx context.Context) ([]Queue, error)

	// Configure creates the queue if need be and changes its settings in one
	// step: change is given the present ones and may be called more than once.
	// Other processes follow within two seconds.
	Configure(ctx context.Context, queue string, change func(*Settings)) error

	// Delete removes the queue and all its messages, leased ones too.
	// ErrQueueNotFound where there is none.
	Delete(ctx context.Context, queue string) error

	// Purge removes the messages with these ids, or without ids all of them,
	// delayed and leased ones too, and returns how many went.
	// ErrQueueNotFound where there is no such queue.
	Purge(ctx context.Context, queue string, ids ...string) (int, error)

	// Peek returns up to max messages without leasing them, the ready ones
	// first in the order they would be received, then delayed, then leased
	// ones. Attempts is what the next delivery would carry; Lease is empty.
	// ErrQueueNotFound where there is no such queue.
	Peek(ctx context.Context, queue string, max int) ([]Delivery, error)

	// Stats counts the queue's unsettled messages, at most one second ago.
	// ErrQueueNotFound where there is no such queue.
	Stats(ctx context.Context, queue string) (Stats, error)

	// Capabilities says what this engine promises beyond the contract's core.
	Capabilities() Capabilities

	// Close ends waiting calls with ErrClosed, finishes running ones, and
	// frees what the adapter holds. Leases it gave stay valid in the engine.
	// A second Close does nothing.
	Close() error
}

// Message is what a producer sends.
type Message struct {
	Type  ContentType
	Body  []byte
	Delay Delay
}

// ContentType says what a body's bytes are.
type ContentType uint8

// The content types. JSON bodies are UTF-8 text; Text bodies are plain UTF-8
// text; Bytes are anything.
const (
	JSON ContentType = iota
	Text
	Bytes
)

// String returns the type's name on the wire: json, text or bytes.
func (t ContentType) String() string {
	switch t {
	case JSON:
		return "json"
	case Text:
		return "text"
	case Bytes:
		return "bytes"
	}
	return "unknown"
}

// Delay is how long a message waits before it is ready. Its zero value means
// that the sender named none, which an explicit delay of 0 is not (B-18).
type Delay struct {
	d   time.Duration
	set bool
}

// After is an explicit delay of d.
func After(d time.Duration) Delay { return Delay{d: d, set: true} }

// Or returns the delay, or def where none was named.
func (d Delay) Or(def time.Duration) time.Duration {
	if d.set {
		return d.d
	}
	return def
}

// IsSet reports whether a delay was named.
func (d Delay) IsSet() bool { return d.set }

// Equal reports whether both name the same delay or none.
func (d Delay) Equal(o Delay) bool { return d == o }

// String returns the delay, or "none".
func (d Delay) String() string {
	if d.set {
		return d.d.String()
	}
	return "none"
}

// ReceiveOptions say what Receive waits for.
type ReceiveOptions struct {
	// Max is the largest number of messages to lease. Defaults to 1.
	Max int
	// Linger is how long the first ready message waits for Max to gather,
	// counted from when it became ready. Defaults to not waiting.
	Linger time.Duration
	// Wait is how long to wait while nothing is ready. Defaults to not waiting.
	Wait time.Duration
	// Lease is how long the messages are held. Defaults to 30 s.
	Lease time.Duration
}

// DefaultLease is the lease of a Receive that names none.
const DefaultLease = 30 * time.Second

// WithDefaults fills in the defaults of Max and Lease.
func (o ReceiveOptions) WithDefaults() ReceiveOptions {
	if o.Max <= 0 {
		o.Max = 1
	}
	if o.Lease <= 0 {
		o.Lease = DefaultLease
	}
	return o
}

// Lease names one delivery of one message. It is opaque, URL-safe, and valid
// in every process that shares the store. It is lost when its message was
// delivered again, settled, moved or purged, not when its time has passed
// (B-53).
type Lease string

// Delivery is a message as a consumer gets it.
type Delivery struct {
	// ID is 32 lower-case hex digits, the same on every redelivery and in the
	// dead-letter queue.
	ID string
	// Attempts counts deliveries from 1 (B-22).
	Attempts int
	// Enqueued is the first enqueue, in whole milliseconds, never renewed.
	Enqueued time.Time
	Type     ContentType
	Body     []byte
	// Origin is where a moved message came from.
	Origin Origin
	Lease  Lease
}

// Origin is the queue a message was moved from and the attempts it had used
// there. The zero value means that it was not moved.
type Origin struct {
	Queue    string
	Attempts int
}

// Settlement is what happens to one leased message.
type Settlement struct {
	Lease Lease
	Do    Action
	// Delay is how long a Retry waits.
	Delay time.Duration
	// Uncounted leaves attempts as they were before this lease: the next
	// delivery carries the same number. Only for Retry.
	Uncounted bool
	// To is the queue a Move goes to. It is created if need be, its own
	// DeliveryDelay applies, and retention starts anew.
	To string
}

// Action is a settlement's verb.
type Action uint8

const (
	// Ack removes the message.
	Ack Action = iota
	// Retry puts it behind those waiting, ready after Delay. Messages retried
	// together keep their order and become ready together.
	Retry
	// Move puts it into the queue To with the id and enqueue time it has; its
	// next delivery there is attempt 1 (B-27), and Origin tells where it was.
	Move
)

// String returns ack, retry or move.
func (a Action) String() string {
	switch a {
	case Ack:
		return "ack"
	case Retry:
		return "retry"
	case Move:
		return "move"
	}
	return "unknown"
}

// Queue is a queue's name, age and settings.
type Queue struct {
	Name     string
	Created  time.Time
	Modified time.Time
	Settings Settings
}

// Settings of a queue live in the store.
type Settings struct {
	// DeliveryDelay applies to messages sent without a delay. Defaults to 0.
	DeliveryDelay time.Duration
	// Retention is how long a message is kept, counted from its entry into
	// this queue, or from its due time if that is later. A message whose
	// retention has passed is not delivered any more and leaves the counts.
	// Defaults to DefaultRetention.
	Retention time.Duration
	// Paused stops Receive. Sends go on, and so does retention.
	Paused bool
}

// Keep returns Retention with its default.
func (s Settings) Keep() time.Duration {
	if s.Retention <= 0 {
		return DefaultRetention
	}
	return s.Retention
}

// Stats are a queue's numbers. Ready, Delayed and Leased add up to the backlog;
// a message whose lease has run out counts as ready.
type Stats struct {
	Ready   int64
	Delayed int64
	Leased  int64
	// Bytes is the sum of the bodies' lengths.
	Bytes int64
	// Oldest is the earliest Enqueued of them, zero where there are none.
	Oldest time.Time
}

// Capabilities are the promises that differ between engines. Each has a case
// in adaptertest.
type Capabilities struct {
	// Durable: what was sent survives Close and the end of the process.
	Durable bool
	// Shared: several processes can work on one store.
	Shared bool
	// AtomicMove: a moved message is never in both queues and never in neither.
	AtomicMove bool
	// Fenced: settling a lost lease changes nothing and says ErrLeaseLost.
	Fenced bool
	// LateSettle: a lease whose time has passed settles until its message is
	// delivered again.
	LateSettle bool
	// KeepsIdentity: id and enqueue time survive redelivery and moves.
	KeepsIdentity bool
	// Control: Queues, Configure, Delete, Purge, Peek and Stats work; without
	// it they return errors.ErrUnsupported.
	Control bool
	// MaxDelay is the longest delay of a send or retry; 0 means no limit. A
	// longer one is Refused.
	MaxDelay time.Duration
	// MaxSend is the largest number of messages in one Send; 0 means no limit.
	// More are Refused.
	MaxSend int
}
