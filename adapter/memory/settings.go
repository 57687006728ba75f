package memory

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Configure calls change outside the mutex, so that it may do what it likes,
// and again if the settings were changed in the meantime.
func (a *Adapter) Configure(ctx context.Context, name string, change func(*adapter.Settings)) error {
	for {
		if _, err := a.lock(ctx); err != nil {
			return err
		}
		var old adapter.Settings
		if q := a.queues[name]; q != nil {
			old = q.settings
		}
		a.mu.Unlock()

		s := old
		change(&s)

		now, err := a.lock(ctx)
		if err != nil {
			return err
		}
		q := a.created(name, now)
		if q.settings != old {
			a.mu.Unlock()
			continue
		}
		if s != old {
			q.settings, q.keep = s, s.Keep()
			q.modified = a.start.Add(time.Duration(now))
		}
		q.waiting.calm = 0
		q.advance(now) // retention may be shorter now
		if s.Paused {
			q.release(adapter.ErrPaused)
		}
		q.wake(now)
		a.mu.Unlock()
		return nil
	}
}

// Queues lists all queues by name.
func (a *Adapter) Queues(ctx context.Context) ([]adapter.Queue, error) {
	if _, err := a.lock(ctx); err != nil {
		return nil, err
	}
	all := make([]adapter.Queue, 0, len(a.queues))
	for _, q := range a.queues {
		if q.exists {
			all = append(all, adapter.Queue{Name: q.name, Created: q.created, Modified: q.modified, Settings: q.settings})
		}
	}
	a.mu.Unlock()
	slices.SortFunc(all, func(x, y adapter.Queue) int { return cmp.Compare(x.Name, y.Name) })
	return all, nil
}

// Delete removes the queue; who waits for it goes on waiting.
func (a *Adapter) Delete(ctx context.Context, name string) error {
	now, err := a.lock(ctx)
	if err != nil {
		return err
	}
	defer a.mu.Unlock()
	q, err := a.existing(name, now)
	if err != nil {
		return err
	}
	q.clear()
	q.exists, q.settings = false, adapter.Settings{}
	q.wake(now)
	q.tidy()
	return nil
}
