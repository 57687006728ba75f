package adapter

import (
	"errors"
	"fmt"
)

var (
	// ErrLeaseLost says that a lease does not hold its message any more: it
	// was delivered again, settled, moved or purged. A lease that never was
	// one is lost too.
	ErrLeaseLost = errors.New("lease lost")
	// ErrPaused says that the queue's delivery is paused.
	ErrPaused = errors.New("queue delivery paused")
	// ErrClosed says that the adapter was closed.
	ErrClosed = errors.New("adapter closed")
	// ErrQueueNotFound says that there is no queue of that name.
	ErrQueueNotFound = errors.New("queue not found")
)

// Refused is an engine's own no to a send: the call was understood and will
// not be taken. Guests see Reason verbatim.
type Refused struct{ Reason string }

func (r Refused) Error() string { return r.Reason }

// PartialError names the items of a Settle or Extend that failed; every other
// item was done.
type PartialError struct{ Items []ItemError }

// ItemError is the failure of the item at Index of the call's list.
type ItemError struct {
	Index int
	Err   error
}

func (e *PartialError) Error() string {
	if len(e.Items) == 0 {
		return "no items failed"
	}
	first := e.Items[0]
	return fmt.Sprintf("%d of the items failed, the first at index %d: %v", len(e.Items), first.Index, first.Err)
}

// Unwrap lets errors.Is and errors.As look into the items.
func (e *PartialError) Unwrap() []error {
	errs := make([]error, len(e.Items))
	for i, it := range e.Items {
		errs[i] = it.Err
	}
	return errs
}
