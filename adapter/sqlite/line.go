package sqlite

import (
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// line is the Receive calls that wait for messages of one queue, first come,
// first served.
type line struct {
	name  string
	calls []*request
	alarm time.Time // when to look again without having been told
}

// maxAlarm bounds how long a line sleeps: the wall clock, which due times
// count by, can be set meanwhile.
const maxAlarm = 10 * time.Second

func (w *writer) join(r *request) {
	l := w.lines[r.queue]
	if l == nil {
		l = &line{name: r.queue}
		w.lines[r.queue] = l
		if len(w.lines) == 1 {
			w.poll.hurry(time.Now())
		}
	}
	l.calls = append(l.calls, r)
}

// dismiss answers all waiting calls.
func (w *writer) dismiss(err error) {
	for name := range w.lines {
		w.failLine(name, err)
	}
}

func (w *writer) failLine(name string, err error) {
	l := w.lines[name]
	if l == nil {
		return
	}
	delete(w.lines, name)
	for _, r := range l.calls {
		if r.claim() {
			r.answer(err)
		}
	}
}

func stillOffered(reqs []*request) []*request {
	var kept []*request
	for _, r := range reqs {
		if r.state.Load() == offered {
			kept = append(kept, r)
		}
	}
	return kept
}

// look finds, without a transaction, the lines that one could serve. It looks
// at those whose time has come, and at all when another process wrote.
func (w *writer) look(now time.Time) (ripe []string) {
	if len(w.lines) == 0 {
		return nil
	}
	changed, err := w.poll.changed(now, w.store)
	if err != nil && !busy(err) {
		w.dismiss(err)
		return nil
	}
	for name, l := range w.lines {
		if !changed && now.Before(l.alarm) {
			continue
		}
		can, err := w.serve(&tx{store: w.store, clock: now, now: now.UnixMilli(), dry: true}, l)
		switch {
		case busy(err): // another process recovers or closes the file
			l.alarm = now.Add(maxPoll)
		case err != nil:
			w.failLine(name, err)
		case can:
			ripe = append(ripe, name)
		}
	}
	return ripe
}

// serve answers the calls of a line that can be answered now, and sets its
// alarm. In a dry transaction it leases nothing and reports whether it could.
func (w *writer) serve(t *tx, l *line) (can bool, err error) {
	q, err := t.queue(l.name)
	if err != nil {
		return false, err
	}
	s := serving{tx: t, queue: q, calls: l.calls}
	var kept []*request
	for _, r := range l.calls {
		stays, err := s.call(r)
		if err != nil {
			l.calls = stillOffered(l.calls)
			return false, err
		}
		if stays {
			kept = append(kept, r)
		}
	}
	if l.calls = kept; len(kept) == 0 {
		delete(w.lines, l.name)
		return false, nil
	}
	l.alarm, err = s.alarm(kept)
	return s.can, err
}

// serving is one pass over a line.
type serving struct {
	*tx
	queue *queue
	calls []*request
	picks *picks // what is ready, nil when it has to be looked for
	can   bool
}

// call answers one call if it can, and reports whether it stays in the line.
func (s *serving) call(r *request) (stays bool, err error) {
	if r.gone() {
		return false, nil
	}
	if s.queue != nil && s.queue.settings.Paused {
		s.answer(r, adapter.ErrPaused)
		return false, nil
	}
	if err := s.find(r.options.Max); err != nil {
		return false, err
	}
	if s.ripe(r) {
		if s.dry {
			s.can = true
			return true, nil
		}
		if !r.claim() {
			return false, nil
		}
		s.answers = append(s.answers, answer{r: r})
		r.deliveries, err = s.take(s.queue, s.picks, r.options.Max, r.options.Lease)
		s.picks = nil
		return false, err
	}
	if s.picks.n == 0 && !s.clock.Before(r.until) {
		s.answer(r, nil)
		return false, nil
	}
	return true, nil
}

// answer ends a call that gets no messages: at once, as nothing depends on the
// transaction.
func (s *serving) answer(r *request, err error) {
	if r.claim() {
		r.deliveries = []adapter.Delivery{}
		r.answer(err)
	}
}

// find looks for at least n ready messages, unless that was done.
func (s *serving) find(n int) (err error) {
	if p := s.picks; p != nil && (p.all || p.n >= n) {
		return nil
	}
	if s.queue == nil {
		s.picks = &picks{all: true}
		return nil
	}
	s.picks, err = s.pick(s.queue, s.now, n)
	return err
}

// ripe reports whether a call gets what is ready now.
func (s *serving) ripe(r *request) bool {
	p := s.picks
	return p.n >= r.options.Max || p.n > 0 && s.now >= p.since()+ceilMilli(r.options.Linger)
}

// alarm is when the calls that stay are to be looked at again.
func (s *serving) alarm(kept []*request) (time.Time, error) {
	at := s.clock.Add(maxAlarm)
	earlier := func(t time.Time) {
		if t.Before(at) {
			at = t
		}
	}
	if err := s.find(1); err != nil {
		return at, err
	}
	for _, r := range kept {
		if s.picks.n == 0 {
			earlier(r.until)
		} else {
			earlier(time.UnixMilli(s.picks.since() + ceilMilli(r.options.Linger)))
		}
	}
	if s.queue != nil {
		next, err := s.nextDue(s.queue, s.now)
		if err != nil {
			return at, err
		}
		if next != maxInt64 {
			earlier(time.UnixMilli(next))
		}
	}
	return at, nil
}
