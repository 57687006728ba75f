package sqlite

import "time"

// poller looks for commits of other processes while calls wait: often at
// first and after one, then ever less.
type poller struct {
	at    time.Time
	every time.Duration
	seen  bool // a transaction met such a commit
}

const (
	minPoll = time.Millisecond
	maxPoll = 15 * time.Millisecond
)

// hurry is called when there is something to wait for.
func (p *poller) hurry() {
	p.every = minPoll
	p.at = time.Now().Add(minPoll)
}

// changed reports whether there was a commit, if it is time to look.
func (p *poller) changed(now time.Time, s *store) (bool, error) {
	if now.Before(p.at) && !p.seen {
		return false, nil
	}
	changed, err := s.refresh()
	changed, p.seen = changed || p.seen, false
	p.every = min(p.every*5/4, maxPoll)
	if changed {
		p.every = minPoll
	}
	p.at = now.Add(p.every)
	return changed, err
}
