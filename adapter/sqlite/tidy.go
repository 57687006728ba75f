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
	// keptLog is how large an idle log may stay. Writing over what is there
	// syncs in half the time that making a file longer does.
	keptLog = 8 << 20
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
		d.checkpoint = time.Time{}
		if d.logSize() > keptLog {
			w.store.db.checkpoint("truncate")
		} else {
			w.store.db.checkpoint("restart")
		}
	case d.count >= looksEvery:
		d.count = 0
		if d.logSize() > maxLog {
			w.store.db.checkpoint("truncate")
		}
	}
}

func (d *tidier) logSize() int64 {
	info, err := os.Stat(d.log)
	if err != nil {
		return 0
	}
	return info.Size()
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

// checkpoint moves the log into the file, so that it begins anew (restart) or
// is emptied (truncate). It gives up where others are in the way.
func (c *conn) checkpoint(how string) {
	_ = c.query("pragma wal_checkpoint("+how+")", func(values) error { return nil })
}

// finish is the end of the writer's connection.
func (c *conn) finish() error {
	c.checkpoint("truncate")
	return c.close()
}
