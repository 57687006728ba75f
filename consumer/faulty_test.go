package consumer_test

import (
	"context"
	"sync"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// faulty is an adapter whose calls a test can watch and replace. A hook calls
// next for what the store itself does.
type faulty struct {
	adapter.Adapter

	mu        sync.Mutex
	onReceive func(o adapter.ReceiveOptions, next func() ([]adapter.Delivery, error)) ([]adapter.Delivery, error)
	onSettle  func(s []adapter.Settlement, next func() error) error
	onExtend  func(ctx context.Context, leases []adapter.Lease, next func() error) error
	caps      func(*adapter.Capabilities)
}

func (f *faulty) Receive(ctx context.Context, queue string, o adapter.ReceiveOptions) ([]adapter.Delivery, error) {
	next := func() ([]adapter.Delivery, error) { return f.Adapter.Receive(ctx, queue, o) }
	if hook := get(f, &f.onReceive); hook != nil {
		return hook(o, next)
	}
	return next()
}

func (f *faulty) Settle(ctx context.Context, queue string, s ...adapter.Settlement) error {
	next := func() error { return f.Adapter.Settle(ctx, queue, s...) }
	if hook := get(f, &f.onSettle); hook != nil {
		return hook(s, next)
	}
	return next()
}

func (f *faulty) Extend(ctx context.Context, queue string, d time.Duration, leases ...adapter.Lease) error {
	next := func() error { return f.Adapter.Extend(ctx, queue, d, leases...) }
	if hook := get(f, &f.onExtend); hook != nil {
		return hook(ctx, leases, next)
	}
	return next()
}

func (f *faulty) Capabilities() adapter.Capabilities {
	c := f.Adapter.Capabilities()
	if f.caps != nil {
		f.caps(&c)
	}
	return c
}

// get and set read and write a hook while a consumer runs.
func get[T any](f *faulty, hook *T) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	return *hook
}

func set[T any](f *faulty, hook *T, to T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	*hook = to
}
