package sqlite

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/wazqueue/wazqueue/adapter"
)

func checkName(queue string) error {
	if queue == "" || !utf8.ValidString(queue) {
		return errors.New("sqlite: a queue's name is valid UTF-8 text and not empty")
	}
	return nil
}

// Queues implements adapter.Adapter.
func (a *Adapter) Queues(ctx context.Context) (list []adapter.Queue, err error) {
	err = a.read(ctx, "queues", func(v *view) error {
		list = []adapter.Queue{}
		return v.db.query("select "+queueColumns+" from queue where name is not null order by name", func(row values) error {
			list = append(list, scanQueue(row).info())
			return nil
		})
	})
	return list, err
}

// Configure implements adapter.Adapter. change runs on the caller's goroutine,
// again if another call was faster.
func (a *Adapter) Configure(ctx context.Context, queue string, change func(*adapter.Settings)) error {
	if err := checkName(queue); err != nil {
		return err
	}
	for {
		var before adapter.Settings
		err := a.read(ctx, "configure", func(v *view) error {
			q, err := v.db.findQueue(queue)
			if q != nil {
				before = q.settings
			}
			return err
		})
		if err != nil {
			return err
		}
		after := before
		change(&after)
		done := false
		err = a.do(ctx, "configure", &request{run: func(t *tx) (err error) {
			done, err = t.configure(queue, before, after)
			return err
		}})
		if err != nil || done {
			return err
		}
	}
}

// configure changes the settings if they are as they were.
func (t *tx) configure(queue string, before, after adapter.Settings) (bool, error) {
	q, err := t.queue(queue)
	if err != nil {
		return false, err
	}
	if q == nil {
		if before != (adapter.Settings{}) {
			return false, nil
		}
		if q, err = t.open(queue); err != nil {
			return false, err
		}
	}
	if q.settings != before {
		return false, nil
	}
	t.touched[queue] = true
	if after == before {
		return true, nil
	}
	q.settings, q.modified = after, t.now
	return true, t.exec("update queue set modified=?, delay=?, retention=?, paused=? where id=?",
		q.modified, int64(after.DeliveryDelay), int64(after.Retention), after.Paused, q.id)
}

// Delete implements adapter.Adapter. The records go later, in the sweep: until
// then nothing leads to them.
func (a *Adapter) Delete(ctx context.Context, queue string) error {
	var found bool
	err := a.do(ctx, "delete", &request{run: func(t *tx) error {
		q, err := t.queue(queue)
		if found = q != nil; !found || err != nil {
			return err
		}
		return t.doom(q)
	}})
	if err == nil && !found {
		return adapter.ErrQueueNotFound
	}
	return err
}

// doom takes a queue's name away.
func (t *tx) doom(q *queue) error {
	delete(t.queues, q.name)
	t.touched[q.name] = true
	t.doomed = append(t.doomed, q.id)
	return t.exec("update queue set name=null, n=0, bytes=0 where id=?", q.id)
}
