package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wazqueue/wazqueue/adapter"
)

// openStore opens a store whose URL was looked at.
type openStore func(ctx context.Context) (adapter.Adapter, error)

// stores are the backends by the scheme of their URLs, each with how such a URL
// looks.
var stores = map[string]struct {
	form string
	open func(ctx context.Context, url string) (adapter.Adapter, error)
}{}

// findStore refuses a URL that no backend knows.
func findStore(url string) (openStore, error) {
	scheme, _, isURL := strings.Cut(url, ":")
	known, ok := stores[scheme]
	if !ok || !isURL {
		var forms []string
		for _, s := range slices.Sorted(maps.Keys(stores)) {
			forms = append(forms, stores[s].form)
		}
		if isURL {
			scheme += ":" // and nothing after it, which may be a password
		}
		return nil, fmt.Errorf("there is no store %q; known are %s", scheme, strings.Join(forms, " and "))
	}
	return func(ctx context.Context) (adapter.Adapter, error) { return known.open(ctx, url) }, nil
}
