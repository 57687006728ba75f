package memory

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap adds and removes at random and wants what sorting gives.
func TestHeap(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var h heap
	var want []*record // in the order they came, which a stable sort keeps
	for range 5000 {
		switch {
		case len(want) == 0 || r.IntN(5) < 3:
			x := &record{due: int64(r.IntN(40))}
			h.push(x)
			want = append(want, x)
		default:
			i := r.IntN(len(want))
			h.remove(want[i])
			want = slices.Delete(want, i, i+1)
		}
		if len(h.nodes) != len(want) {
			t.Fatalf("%d records, want %d", len(h.nodes), len(want))
		}
		for i, n := range h.nodes {
			if n.r.at != i {
				t.Fatalf("the record in place %d believes it is in %d", i, n.r.at)
			}
		}
		if len(want)%50 != 0 {
			continue
		}
		sorted := slices.Clone(want)
		slices.SortStableFunc(sorted, func(x, y *record) int { return cmp.Compare(x.due, y.due) })
		if !slices.Equal(slices.Collect(h.sorted), sorted) {
			t.Fatal("sorted differs from a stable sort")
		}
		if len(sorted) > 0 && h.due() != sorted[0].due || len(sorted) == 0 && h.due() != never {
			t.Fatalf("the first is due at %d", h.due())
		}
	}
}
