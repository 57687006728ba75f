package sqlite

import (
	"os"
	"time"
)

const (
	// sweepEvery is how often the writer looks for records to remove.
	sweepEvery = 30 * time.Second
	// idleAfter is how long after the last write the log goes into the file.
	idleAfter = time.Second
	// maxLog is the size at which the log goes into the file although the
	// writer is busy. SQLite's own checkpoints keep it at 4 MB, but cannot
	// begin it anew while readers overlap without a gap.
	maxLog = 64 << 20
	// looksEvery is how many transactions pass between looks at the log, and
	// sweepsEvery between steps of a sweep while others wait.
	looksEvery  = 512
	sweepsEvery = 8
)

// tidier does what can wait: the sweep and the log.
type tidier struct {
	log        string
	doomed     []int64
	expired    []string
	sweep      time.Time
	checkpoint time.Time // zero when nothing was written
	count      int
}

func newTidier(path string) tidier {
	return tidier{log: path + "-wal", sweep: time.Now().Add(idleAfter)}
}

// note is told of each transaction.
func (d *tidier) note(t *tx) {
	d.doomed = append(d.doomed, t.doomed...)
	d.count++
	if t.wrote {
		d.checkpoint = t.clock.Add(idleAfter)
	}
}

func (d *tidier) next() time.Time {
	if len(d.doomed)+len(d.expired) > 0 {
		return time.Time{}
	}
	if !d.checkpoint.IsZero() && d.checkpoint.Before(d.sweep) {
		return d.checkpoint
	}
	return d.sweep
}

// do takes one step of what is due. Errors are left to the calls, which meet
// them as well and have somebody to tell.
func (d *tidier) do(w *writer) {
	if now := time.Now(); !now.Before(d.sweep) {
		d.sweep = now.Add(sweepEvery)
		if doomed, expired, err := w.store.stale(now.UnixMilli()); err == nil {
			d.doomed, d.expired = doomed, expired
		}
	}
	idle := !w.busy()
	if len(d.doomed)+len(d.expired) > 0 && (idle || d.count%sweepsEvery == 0) {
		d.step(w)
		return
	}
	switch {
	case idle && !d.checkpoint.IsZero() && !time.Now().Before(d.checkpoint):
		w.store.db.truncateLog()
		d.checkpoint = time.Time{}
	case d.count >= looksEvery:
		d.count = 0
		if info, err := os.Stat(d.log); err == nil && info.Size() > maxLog {
			w.store.db.truncateLog()
		}
	}
}

// step sweeps some records of one queue. A queue whose sweep fails is left
// until the next look.
func (d *tidier) step(w *writer) {
	t, err := w.begin()
	if err != nil {
		d.doomed, d.expired = nil, nil
		return
	}
	more := false
	if len(d.doomed) > 0 {
		more, err = t.sweepDoomed(d.doomed[0])
	} else {
		more, err = t.sweepExpired(d.expired[0])
	}
	if err == nil {
		err = t.commit()
	}
	if err != nil {
		w.store.rollback()
	}
	if len(d.doomed) > 0 {
		d.doomed = rest(d.doomed, more && err == nil)
	} else {
		d.expired = rest(d.expired, more && err == nil)
	}
	if err == nil {
		d.note(t)
	}
}

// rest is the list without its first item, unless there is more of that.
func rest[T any](list []T, more bool) []T {
	if more {
		return list
	}
	return list[1:]
}

func (t *tx) sweepExpired(name string) (bool, error) {
	q, err := t.queue(name)
	if q == nil || err != nil {
		return false, err
	}
	return t.sweep(q, q.id, q.cutoff(t.now), t.now)
}

// truncateLog moves the log into the file and empties it. It gives up where
// others are in the way.
func (c *conn) truncateLog() {
	_ = c.query("pragma wal_checkpoint(truncate)", func(values) error { return nil })
}

// finish is the end of the writer's connection.
func (c *conn) finish() error {
	c.truncateLog()
	return c.close()
}
