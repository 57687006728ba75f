package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// applicationID marks a file as a store of queues ("wazq").
	applicationID = 0x77617a71
	// schemaVersion counts layouts. A file of a later one is refused.
	schemaVersion = 1
)

// schema is the layout. Times are in milliseconds, settings' durations in
// nanoseconds.
//
// A queue that was deleted or purged keeps its row without a name until the
// sweep has removed its records. next is the store's next number as of the
// row's last change; the highest one counts.
//
// Ready and delayed records are in r, in the order they are received: by due
// time, then by number. Numbers are 256 apart, so that the parts of a record
// that is split fit between it and its successor. Only records that were
// delayed, retried or moved are in r_old, the others being in the order of
// their enqueueing anyway.
//
// Leased records are in l, up to 128 messages a row. l's id is random, with
// its last byte free for the parts of a row that is split; what a lease names
// therefore never comes again. since is the earliest time that the retention
// of one of its records counts from.
//
// Bodies are in c, apart from small single ones, which are in their records.
// Once a part of a chunk is done f has how many of its messages are not.
var schema = []string{
	`create table queue(id integer primary key, name text unique, created int not null, modified int not null,
		delay int not null, retention int not null, paused int not null, n int not null, bytes int not null, next int not null)`,
	`create table r(q int, due int, id int, n int not null, bytes int not null, enq int not null, rec blob not null,
		primary key(q, due, id)) without rowid`,
	`create index r_old on r(q, enq) where enq < due`,
	`create table l(id integer primary key, q int not null, deadline int not null, n int not null, bytes int not null,
		enq int not null, since int not null, recs blob not null)`,
	`create index l_deadline on l(q, deadline)`,
	`create table c(id integer primary key, data blob not null)`,
	`create table f(id integer primary key, left int not null)`,
}

var tables = []string{"c", "f", "l", "queue", "r"}

// prepare makes the file at the connection a store, or checks that it is one.
// Any number of processes may do so at once.
func (c *conn) prepare(ctx context.Context) error {
	if err := c.pragma("busy_timeout=5000"); err != nil {
		return err
	}
	known, err := c.check()
	if err != nil {
		return err
	}
	readOnly, err := c.readOnly()
	switch {
	case err != nil:
		return err
	case readOnly:
		return errors.New("the file cannot be written")
	}
	if !known {
		if err := c.create(); err != nil {
			return err
		}
	}
	return c.useWAL(ctx)
}

// check reports whether the file is a store, false meaning that it is empty.
func (c *conn) check() (bool, error) {
	app, err := c.number("pragma application_id")
	if err != nil {
		return false, err
	}
	version, err := c.number("pragma user_version")
	if err != nil {
		return false, err
	}
	var found []string
	err = c.query("select name from sqlite_schema where type='table' order by name", func(row values) error {
		found = append(found, fmt.Sprint(row[0]))
		return nil
	})
	switch {
	case err != nil:
		return false, err
	case app == 0 && version == 0 && len(found) == 0:
		return false, nil
	case app != applicationID:
		return false, errors.New("the file is an SQLite database of another program")
	case version > schemaVersion:
		return false, fmt.Errorf("the file was written by a newer version of wazqueue (its schema is %d, this one knows %d)", version, schemaVersion)
	case version != schemaVersion || !slices.Equal(found, tables):
		return false, fmt.Errorf("the file is damaged: schema %d with the tables %v", version, found)
	}
	return true, c.quickCheck()
}

// quickCheck looks into the table that everything else hangs on. Checking all
// would read the whole file.
func (c *conn) quickCheck() error {
	return c.query("pragma quick_check(queue)", func(row values) error {
		if row[0] != "ok" {
			return fmt.Errorf("the file is damaged: %v", row[0])
		}
		return nil
	})
}

// create writes the layout, unless another process has meanwhile.
func (c *conn) create() (err error) {
	if _, err := c.exec("begin immediate"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = c.exec("rollback")
		}
	}()
	known, err := c.check()
	if err != nil {
		return err
	}
	if !known {
		for _, text := range schema {
			if _, err := c.exec(text); err != nil {
				return err
			}
		}
		if err := c.pragma("application_id=%d", applicationID); err != nil {
			return err
		}
		if err := c.pragma("user_version=%d", schemaVersion); err != nil {
			return err
		}
	}
	_, err = c.exec("commit")
	return err
}

// useWAL switches the file to a write-ahead log, which lasts. SQLite does not
// wait for locks there, so this does.
func (c *conn) useWAL(ctx context.Context) error {
	for wait := time.Millisecond; ; wait = min(2*wait, 50*time.Millisecond) {
		var mode any
		err := c.query("pragma journal_mode=wal", func(row values) error {
			mode = row[0]
			return nil
		})
		switch {
		case err == nil && mode == "wal":
			return nil
		case err == nil:
			return fmt.Errorf("the file system does not allow a write-ahead log (journal mode %v)", mode)
		case !busy(err):
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(wait):
		}
	}
}

// explain adds to an error of Open what is known of its cause.
func explain(path string, err error) error {
	switch code(err) {
	case sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("the file is not an SQLite database, or is damaged: %w", err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the file is damaged: %w", err)
	case sqlite3.SQLITE_READONLY:
		return fmt.Errorf("the file or its folder cannot be written: %w", err)
	case sqlite3.SQLITE_CANTOPEN:
		if info, e := os.Stat(path); e == nil && info.IsDir() {
			return fmt.Errorf("it is a folder: %w", err)
		}
		return fmt.Errorf("the file cannot be opened, or %s cannot be written: %w", filepath.Dir(path), err)
	}
	return err
}
