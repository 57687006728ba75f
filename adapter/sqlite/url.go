package sqlite

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

const scheme = "sqlite:"

// target is what a store's URL says.
type target struct {
	path string
	sync string // full or normal
}

// parseURL reads sqlite:PATH?synchronous=full|normal. Percent-escapes in the
// path are decoded; a '?' in it must be one.
func parseURL(text string) (t target, err error) {
	rest, ok := strings.CutPrefix(text, scheme)
	if !ok {
		return t, fmt.Errorf("%q does not begin with %s", text, scheme)
	}
	rest, query, _ := strings.Cut(rest, "?")
	if strings.HasPrefix(rest, "//") && !strings.HasPrefix(rest, "///") {
		return t, fmt.Errorf("%q names a host; write %sPATH", text, scheme)
	}
	path, err := url.PathUnescape(rest)
	switch {
	case err != nil:
		return t, fmt.Errorf("%q: %w", text, err)
	case path == "":
		return t, fmt.Errorf("%q names no file", text)
	case path == ":memory:":
		return t, errors.New("SQLite's memory databases hold no queues; use memory: for queues that need not last")
	case strings.ContainsRune(path, 0):
		return t, fmt.Errorf("%q: a path cannot contain a zero byte", text)
	}
	if t.path, err = filepath.Abs(path); err != nil {
		return t, err
	}
	t.sync, err = parseQuery(query)
	if err != nil {
		return t, fmt.Errorf("%q: %w", text, err)
	}
	return t, nil
}

func parseQuery(text string) (sync string, err error) {
	values, err := url.ParseQuery(text)
	if err != nil {
		return "", err
	}
	sync = "full"
	for key, vs := range values {
		if key != "synchronous" {
			return "", fmt.Errorf("unknown parameter %q; the one there is is synchronous", key)
		}
		if len(vs) > 1 {
			return "", errors.New("synchronous is given more than once")
		}
		sync = strings.ToLower(vs[0])
	}
	switch sync {
	case "full", "normal":
		return sync, nil
	case "off":
		return "", errors.New("synchronous=off would let a power failure damage the whole file, not only lose the last messages; use normal")
	}
	return "", fmt.Errorf("synchronous=%s is not full or normal", sync)
}
