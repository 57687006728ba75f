package sqlite

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// reader answers what changes nothing on a connection of its own, so that it
// neither waits for the writer's disk nor holds the writer up.
type reader struct {
	mu     sync.Mutex
	db     *conn
	closed bool
}

// view is one consistent look at the store.
type view struct {
	db  *conn
	now int64
}

// queue finds a queue that has to exist. It takes the time as well, after the
// first read, which fixes the view: what was sent before is ready in it.
func (v *view) queue(name string) (*queue, error) {
	q, err := v.db.findQueue(name)
	v.now = time.Now().UnixMilli()
	if err == nil && q == nil {
		err = adapter.ErrQueueNotFound
	}
	return q, err
}

// read lets look at one moment of the store.
func (a *Adapter) read(ctx context.Context, what string, look func(*view) error) error {
	if a.writer.stopped() {
		return adapter.ErrClosed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := a.reader.look(look)
	if err == nil || errors.Is(err, adapter.ErrQueueNotFound) || errors.Is(err, adapter.ErrClosed) {
		return err
	}
	return a.wrap(what, err)
}

func (r *reader) look(look func(*view) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return adapter.ErrClosed
	}
	if _, err := r.db.exec("begin"); err != nil {
		return err
	}
	defer func() { _, _ = r.db.exec("rollback") }()
	return look(&view{db: r.db})
}

func (r *reader) stop() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	return r.db.close()
}
