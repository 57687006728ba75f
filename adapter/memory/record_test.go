package memory

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

func TestSet(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var s set
		want := map[int]bool{}
		for range r.IntN(200) {
			i := r.IntN(chunk)
			if r.IntN(3) == 0 {
				s.remove(i)
				delete(want, i)
			} else {
				s.add(i)
				want[i] = true
			}
		}
		places := slices.Sorted(func(yield func(int) bool) {
			for i := range want {
				if !yield(i) {
					return
				}
			}
		})
		if diff := cmp.Diff(places, slices.Collect(s.all)); diff != "" {
			t.Fatalf("places (-want +got):\n%s", diff)
		}
		n := r.IntN(chunk + 1)
		low := s.lowest(n)
		if diff := cmp.Diff(places[:min(n, len(places))], slices.Collect(low.all), cmp.Comparer(slices.Equal[[]int])); diff != "" {
			t.Fatalf("the lowest %d (-want +got):\n%s", n, diff)
		}
		if s.minus(low).len() != s.len()-low.len() || s.len() != len(want) || s.and(low) != low || s.empty() != (len(want) == 0) {
			t.Fatalf("lengths of %v and %v", s, low)
		}
		if f := first(n); f.len() != n || n > 0 && !f.has(n-1) {
			t.Fatalf("the first %d are %v", n, first(n))
		}
	}
}

func TestPackAndCompact(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 64, 65, chunk} {
		for _, keep := range []int{1, 2, n} {
			t.Run(fmt.Sprint(n, " keep ", keep), func(t *testing.T) {
				t.Parallel()
				msgs := make([]adapter.Message, n)
				size := 0
				for i := range msgs {
					msgs[i] = adapter.Message{Type: adapter.ContentType(i % 3), Body: fmt.Appendf(nil, "%0*d", i%7*20, i)}
					size += len(msgs[i].Body)
				}
				r := &record{packed: pack(msgs, size, 0)}
				for i := n - 1; i >= 0 && r.in.len() < keep; i -= 2 {
					r.in.add(i)
					r.size += r.len(i)
				}
				before := len(r.data)
				r.compact()
				for i := range r.in.all {
					if r.kind(i) != msgs[i].Type || string(r.body(i)) != string(msgs[i].Body) || r.len(i) != len(msgs[i].Body) {
						t.Errorf("message %d: %v %q, want %v %q", i, r.kind(i), r.body(i), msgs[i].Type, msgs[i].Body)
					}
				}
				if n >= 64 && keep <= 2 && len(r.data) > before/2 {
					t.Errorf("%d of %d messages hold %d of %d bytes", r.in.len(), n, len(r.data), before)
				}
			})
		}
	}
}
