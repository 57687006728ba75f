package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	modernc "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// conn is one SQLite connection and its prepared statements. It belongs to one
// goroutine at a time. It goes below database/sql, whose pool would put the
// writer's transactions on connections of its own choosing.
type conn struct {
	raw   driver.Conn
	stmts map[string]*stmt
}

// values is a row.
type values = []driver.Value

type stmt struct {
	raw  driver.Stmt
	args []driver.NamedValue
	row  []driver.Value
}

// dial opens the file at an absolute path. A driver of its own keeps the functions and
// hooks that the embedding program registers away from the queues.
func dial(path string) (*conn, error) {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive's letter
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: "_error_rc=1"}
	raw, err := (&modernc.Driver{}).Open(name.String())
	if err != nil {
		return nil, err
	}
	return &conn{raw: raw, stmts: map[string]*stmt{}}, nil
}

func (c *conn) close() error {
	var errs []error
	for _, s := range c.stmts {
		errs = append(errs, s.raw.Close())
	}
	clear(c.stmts)
	return errors.Join(append(errs, c.raw.Close())...)
}

// prepared returns the statement of this text, bound to args.
func (c *conn) prepared(text string, args []driver.Value) (*stmt, error) {
	s := c.stmts[text]
	if s == nil {
		raw, err := c.raw.Prepare(text)
		if err != nil {
			return nil, err
		}
		s = &stmt{raw: raw}
		c.stmts[text] = s
	}
	s.args = s.args[:0]
	for i, a := range args {
		s.args = append(s.args, driver.NamedValue{Ordinal: i + 1, Value: a})
	}
	return s, nil
}

// exec runs a statement and returns how many rows it changed.
func (c *conn) exec(text string, args ...driver.Value) (int64, error) {
	s, err := c.prepared(text, args)
	if err != nil {
		return 0, err
	}
	res, err := s.raw.(driver.StmtExecContext).ExecContext(context.Background(), s.args)
	clear(s.args)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// errEnough ends a query early.
var errEnough = errors.New("enough")

// query calls each for the rows of a statement. The row is valid during the
// call, the texts and blobs in it for ever. A statement cannot be run again
// inside its own each.
func (c *conn) query(text string, each func(row values) error, args ...driver.Value) (err error) {
	s, err := c.prepared(text, args)
	if err != nil {
		return err
	}
	rows, err := s.raw.(driver.StmtQueryContext).QueryContext(context.Background(), s.args)
	clear(s.args)
	if err != nil {
		return err
	}
	defer func() {
		if e := rows.Close(); err == nil {
			err = e
		}
	}()
	if s.row == nil {
		s.row = make([]driver.Value, len(rows.Columns()))
	}
	for {
		switch err := rows.Next(s.row); {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		switch err := each(s.row); {
		case err == errEnough:
			return nil
		case err != nil:
			return err
		}
	}
}

// number returns the single number a query yields, 0 for none or null.
func (c *conn) number(text string, args ...driver.Value) (n int64, err error) {
	err = c.query(text, func(row values) error {
		n, _ = row[0].(int64)
		return errEnough
	}, args...)
	return n, err
}

// pragma runs text once, without keeping it prepared.
func (c *conn) pragma(format string, args ...any) error {
	_, err := c.raw.(driver.ExecerContext).ExecContext(context.Background(), "pragma "+fmt.Sprintf(format, args...), nil)
	return err
}

// readOnly reports whether SQLite could open the file for reading only, which
// it does without saying so.
func (c *conn) readOnly() (bool, error) {
	return c.raw.(interface{ IsReadOnly(string) (bool, error) }).IsReadOnly("main")
}

// code is SQLite's primary result code, 0 for other errors.
func code(err error) int {
	var e *modernc.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func busy(err error) bool { return code(err) == sqlite3.SQLITE_BUSY }
