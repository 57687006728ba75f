package peers

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"maragu.dev/goqite"
)

// goqiteQueue is goqite on modernc.org/sqlite, the driver of our own engine.
type goqiteQueue struct {
	db *sql.DB
	q  *goqite.Queue
}

// openGoqite sets goqite up as its documentation says, with the pragmas that
// our engine uses and one connection, which is what suits it best.
func openGoqite(tb testing.TB, durability string) queue {
	tb.Helper()
	name := "file:" + filepath.Join(tb.TempDir(), "goqite.db") +
		"?_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(" + durability + ")" +
		"&_pragma=cache_size(-16384)&_pragma=journal_size_limit(16777216)"
	db, err := sql.Open("sqlite", name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(goqiteSchema(tb)); err != nil {
		tb.Fatal(err)
	}
	return &goqiteQueue{db, goqite.New(goqite.NewOpts{DB: db, Name: "q", Timeout: 30 * time.Second})}
}

// goqiteSchema is the file that goqite's users are told to copy.
func goqiteSchema(tb testing.TB) string {
	tb.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "maragu.dev/goqite").Output()
	if err != nil {
		tb.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "schema_sqlite.sql"))
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func (g *goqiteQueue) tx(f func(ctx context.Context, tx *sql.Tx) error) error {
	ctx := context.Background()
	tx, err := g.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(ctx, tx); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

// send stores all bodies in one transaction: the fastest way goqite has.
func (g *goqiteQueue) send(bodies [][]byte) error {
	if len(bodies) == 1 {
		return g.q.Send(context.Background(), goqite.Message{Body: bodies[0]})
	}
	return g.tx(func(ctx context.Context, tx *sql.Tx) error {
		for _, b := range bodies {
			if err := g.q.SendTx(ctx, tx, goqite.Message{Body: b}); err != nil {
				return err
			}
		}
		return nil
	})
}

// drain receives and deletes as goqite's documentation shows, message by
// message.
func (g *goqiteQueue) drain(n int) (int, error) {
	ctx := context.Background()
	for i := range n {
		m, err := g.q.Receive(ctx)
		if err != nil || m == nil {
			return i, err
		}
		if err := g.q.Delete(ctx, m.ID); err != nil {
			return i, err
		}
	}
	return n, nil
}

// bulkGoqite receives all of a batch in one transaction and deletes it in
// another, which goqite's functions permit.
type bulkGoqite struct{ *goqiteQueue }

func openBulkGoqite(tb testing.TB, durability string) queue {
	return bulkGoqite{openGoqite(tb, durability).(*goqiteQueue)}
}

func (g bulkGoqite) drain(n int) (int, error) {
	ids := make([]goqite.ID, 0, n)
	err := g.tx(func(ctx context.Context, tx *sql.Tx) error {
		for range n {
			m, err := g.q.ReceiveTx(ctx, tx)
			if err != nil {
				return fmt.Errorf("receive: %w", err)
			}
			if m == nil {
				break
			}
			ids = append(ids, m.ID)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return len(ids), g.tx(func(ctx context.Context, tx *sql.Tx) error {
		for _, id := range ids {
			if err := g.q.DeleteTx(ctx, tx, id); err != nil {
				return fmt.Errorf("delete: %w", err)
			}
		}
		return nil
	})
}
