package peers

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// queue is what every engine is asked for. Both calls return when the engine
// has committed.
type queue interface {
	send(bodies [][]byte) error
	drain(n int) (int, error) // receives and deletes up to n
}

type opener func(tb testing.TB, durability string) queue

const bodySize = 200

func bodies(n int) [][]byte {
	bs := make([][]byte, n)
	for i := range bs {
		bs[i] = make([]byte, bodySize)
		for j := range bs[i] {
			bs[i][j] = 'a' + byte(i+j)%26
		}
	}
	return bs
}

// Every engine gives back what was sent, each message once: only then do its
// figures mean anything.
func TestEnginesAgree(t *testing.T) {
	for name, open := range map[string]opener{"sqlite": openSQLite, "goqite": openGoqite, "goqite bulk": openBulkGoqite} {
		t.Run(name, func(t *testing.T) {
			q := open(t, "normal")
			for _, n := range []int{1, 100, 49} {
				if err := q.send(bodies(n)); err != nil {
					t.Fatal(err)
				}
			}
			for _, want := range []int{100, 50, 0} {
				if n, err := q.drain(100); err != nil || n != want {
					t.Errorf("drained %d, error %v, want %d", n, err, want)
				}
			}
		})
	}
}

// Each benchmark works a slice with our engine, one with the peer, and so on,
// and reports both rates and the ratio.
func BenchmarkSQLite(b *testing.B) {
	for _, durability := range []string{"normal", "full"} {
		for _, bench := range []struct {
			name   string
			peer   opener
			batch  int
			drains bool
			slice  int // messages
		}{
			{"goqite/send1", openGoqite, 1, false, 100},
			{"goqite/send100", openGoqite, 100, false, 1000},
			{"goqite/drain", openGoqite, 100, true, 200},
			{"goqite/drain-bulk", openBulkGoqite, 100, true, 500},
		} {
			b.Run(fmt.Sprintf("%s/%s", bench.name, durability), func(b *testing.B) {
				r := race{batch: bodies(bench.batch), slice: bench.slice, drains: bench.drains}
				r.run(b, openSQLite(b, durability), bench.peer(b, durability))
			})
		}
	}
}

// race measures two engines in turns.
type race struct {
	batch  [][]byte
	slice  int
	drains bool
}

// lane is one engine's part in a race.
type lane struct {
	queue
	took   []time.Duration // of each slice
	inside int             // messages in the queue
}

// backlog is how many messages lie in a queue that is drained, when they are
// filled up again.
const backlog = 2000

func (r *race) run(b *testing.B, us, them queue) {
	lanes := []*lane{{queue: us}, {queue: them}}
	for b.Loop() {
		for _, l := range lanes {
			if err := r.turn(l); err != nil {
				b.Fatal(err)
			}
		}
	}
	rate := func(l *lane) float64 { return float64(r.slice) / median(l.took).Seconds() }
	b.ReportMetric(rate(lanes[0]), "wazqueue-msg/s")
	b.ReportMetric(rate(lanes[1]), "peer-msg/s")
	b.ReportMetric(rate(lanes[0])/rate(lanes[1]), "ratio")
	b.ReportMetric(0, "ns/op")
}

func (r *race) turn(l *lane) error {
	if r.drains {
		if err := l.fill(r.slice); err != nil {
			return err
		}
	}
	start := time.Now()
	for n := 0; n < r.slice; {
		if !r.drains {
			if err := l.send(r.batch); err != nil {
				return err
			}
			n += len(r.batch)
			continue
		}
		k, err := l.drain(len(r.batch))
		if err != nil || k == 0 {
			return fmt.Errorf("drained %d: %w", k, err)
		}
		n += k
	}
	l.took = append(l.took, time.Since(start))
	if r.drains {
		l.inside -= r.slice
		return nil
	}
	return l.empty()
}

func (l *lane) fill(atLeast int) error {
	if l.inside >= atLeast {
		return nil
	}
	for range backlog / 100 {
		if err := l.send(bodies(100)); err != nil {
			return err
		}
		l.inside += 100
	}
	return nil
}

func (l *lane) empty() error {
	for {
		if n, err := l.drain(100); err != nil || n == 0 {
			return err
		}
	}
}

func median(d []time.Duration) time.Duration {
	s := slices.Sorted(slices.Values(d))
	return s[len(s)/2]
}
