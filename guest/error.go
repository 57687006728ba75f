package guest

import "fmt"

// How says in which way an event failed.
type How uint8

const (
	// Failed: the entry returned a number other than 0, or there is no entry.
	Failed How = iota
	// Exited: the guest exited with a code other than 0.
	Exited
	// Trapped: the guest did what WebAssembly forbids, such as unreachable.
	Trapped
	// Aborted: a host function ended the event; the reason is a hostfn.Abort.
	Aborted
	// TimedOut: the event reached its time limit.
	TimedOut
	// Stopped: the caller's context ended.
	Stopped
	// Host: the host itself is at fault.
	Host
)

// String returns the way in a word or two.
func (h How) String() string {
	return [...]string{"failed", "exited", "trapped", "aborted", "timed out", "stopped", "host fault"}[h]
}

// Error is the failure of an event.
type Error struct {
	How  How
	Code int32 // of Failed and Exited
	Err  error // the cause, nil where Code says it all
}

func (e *Error) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("guest %s: %v", e.How, e.Err)
	case e.How == Exited:
		return fmt.Sprintf("guest exited with code %d", uint32(e.Code))
	}
	return fmt.Sprintf("guest %s: its entry returned %d", e.How, e.Code)
}

func (e *Error) Unwrap() error { return e.Err }
