package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/wazqueue/wazqueue/adapter"
)

// Adapter is a store of queues in one SQLite file.
type Adapter struct {
	path   string
	writer *writer
	reader *reader
}

var _ adapter.Adapter = (*Adapter)(nil)

// Open opens the store that a URL names, sqlite:PATH, and creates it and its
// folder if need be. The path may be relative, and percent-escapes in it are
// decoded. The one parameter is synchronous, full (the default) or normal; the
// package comment says what they promise. A file that is not a store, is
// damaged, is of a newer version or cannot be written is an error.
func Open(ctx context.Context, url string) (*Adapter, error) {
	target, err := parseURL(url)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	a, err := open(ctx, target)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: %w", target.path, explain(target.path, err))
	}
	return a, nil
}

func open(ctx context.Context, t target) (*Adapter, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := makeFolder(filepath.Dir(t.path)); err != nil {
		return nil, err
	}
	if err := tooShort(t.path); err != nil {
		return nil, err
	}
	w, err := dial(t.path)
	if err != nil {
		return nil, err
	}
	if err := w.setUp(ctx, t.sync); err != nil {
		_ = w.close()
		return nil, err
	}
	r, err := dial(t.path)
	if err == nil {
		err = r.pragma("busy_timeout=5000")
	}
	if err != nil {
		_ = w.close()
		return nil, err
	}
	a := &Adapter{path: t.path, writer: newWriter(w, t.path), reader: &reader{db: r}}
	go a.writer.run()
	return a, nil
}

// setUp makes c the writer's connection.
func (c *conn) setUp(ctx context.Context, sync string) error {
	if err := c.prepare(ctx); err != nil {
		return err
	}
	for _, p := range []string{
		"synchronous=" + sync,
		"fullfsync=on",                // of use on macOS only
		"busy_timeout=0",              // the writer waits itself, so that callers can give up
		"cache_size=-16384",           // KiB
		"journal_size_limit=16777216", // what is kept of a log that grew large
		"wal_autocheckpoint=1000",     // pages
	} {
		if err := c.pragma("%s", p); err != nil {
			return err
		}
	}
	return nil
}

// tooShort refuses a file that SQLite would take for an empty one and write
// over. A journal means that a process died while it created the file.
func tooShort(path string) error {
	const smallestPage = 512
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Size() == 0 || info.Size() >= smallestPage {
		return nil
	}
	if _, err := os.Stat(path + "-journal"); err == nil {
		return nil
	}
	return errors.New("the file is not an SQLite database")
}

// makeFolder creates the folder and what leads to it, each entry being on disk
// when it returns, since a file is only as durable as its folder.
func makeFolder(dir string) error {
	switch info, err := os.Stat(dir); {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	case err == nil:
		return nil
	}
	parent := filepath.Dir(dir)
	if err := makeFolder(parent); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil && !os.IsExist(err) {
		return err
	}
	f, err := os.Open(parent)
	if err != nil {
		return nil // it can be entered but not read: there is nothing to sync it with
	}
	_ = f.Sync() // not every file system can
	return f.Close()
}

// Capabilities implements adapter.Adapter.
func (a *Adapter) Capabilities() adapter.Capabilities {
	return adapter.Capabilities{
		Durable:       true,
		Shared:        true,
		AtomicMove:    true,
		Fenced:        true,
		LateSettle:    true,
		KeepsIdentity: true,
		Control:       true,
	}
}

// Close implements adapter.Adapter.
func (a *Adapter) Close() error {
	first, err := a.writer.stop()
	if !first {
		return nil
	}
	if e := a.reader.stop(); err == nil {
		err = e
	}
	if err != nil {
		return a.wrap("close", err)
	}
	return nil
}

func (a *Adapter) wrap(what string, err error) error {
	return fmt.Errorf("sqlite: %s: %s: %w", what, a.path, err)
}
