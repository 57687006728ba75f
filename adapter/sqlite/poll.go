package sqlite

import "time"

// poller looks for commits of other processes while calls wait: often when
// the wait begins and after such a commit, then ever less. What it costs is
// not the look, some microseconds, but that the goroutine wakes for it.
type poller struct {
	at    time.Time
	every time.Duration
	since time.Time // of the beginning of the wait, or the last such commit
	seen  bool      // a transaction met such a commit
}

const (
	minPoll = time.Millisecond
	maxPoll = 15 * time.Millisecond
	// idlePoll is for when nothing has happened for longer than busyFor.
	idlePoll = 50 * time.Millisecond
	busyFor  = 5 * time.Second
)

// hurry is called when there is something to wait for.
func (p *poller) hurry(now time.Time) {
	p.since, p.every = now, minPoll
	p.at = now.Add(minPoll)
}

// next is when to look.
func (p *poller) next() time.Time {
	if p.seen {
		return time.Time{}
	}
	return p.at
}

// changed reports whether there was a commit, if it is time to look.
func (p *poller) changed(now time.Time, s *store) (bool, error) {
	if now.Before(p.next()) {
		return false, nil
	}
	changed, err := s.refresh()
	if changed || p.seen {
		p.seen = false
		p.hurry(now)
		return true, err
	}
	slowest := maxPoll
	if now.Sub(p.since) > busyFor {
		slowest = idlePoll
	}
	p.every = min(p.every*5/4, slowest)
	p.at = now.Add(p.every)
	return false, err
}
