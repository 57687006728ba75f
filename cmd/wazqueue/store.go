package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
	"github.com/wazqueue/wazqueue/adapter/sqlite"
)

// openStore opens a store whose URL was looked at.
type openStore func(ctx context.Context) (adapter.Adapter, error)

// backend is a kind of store: how its URLs look, and what opens one.
type backend struct {
	form string
	open func(ctx context.Context, url string) (adapter.Adapter, error)
}

// backends by the scheme of their URLs.
var backends = map[string]backend{
	"memory": {"memory:", func(_ context.Context, url string) (adapter.Adapter, error) {
		if url != "memory:" {
			return nil, fmt.Errorf("%q: nothing follows memory: in its URL", url)
		}
		return memory.Open(), nil
	}},
	"sqlite": {"sqlite:PATH", func(ctx context.Context, url string) (adapter.Adapter, error) {
		return sqlite.Open(ctx, url)
	}},
}

// findStore refuses a URL that no backend can mean. It opens nothing.
func findStore(url string) (openStore, error) {
	scheme, _, isURL := strings.Cut(url, ":")
	b, ok := backends[scheme]
	if !ok || !isURL {
		if isURL {
			scheme += ":" // and nothing after it, which may be a password
		}
		return nil, fmt.Errorf("there is no store %q; known are %s", scheme, forms())
	}
	if err := b.checkURL(url); err != nil {
		return nil, err
	}
	return func(ctx context.Context) (adapter.Adapter, error) { return b.open(ctx, url) }, nil
}

func forms() string {
	var all []string
	for _, scheme := range slices.Sorted(maps.Keys(backends)) {
		all = append(all, backends[scheme].form)
	}
	return strings.Join(all, " and ")
}

// checkURL lets the backend judge a URL. With a context that has ended it looks
// at that and touches nothing.
func (b backend) checkURL(url string) error {
	ended, end := context.WithCancel(context.Background())
	end()
	store, err := b.open(ended, url)
	switch {
	case err == nil:
		return store.Close()
	case errors.Is(err, context.Canceled):
		return nil
	}
	return err
}
