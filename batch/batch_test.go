package batch_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
)

func three(attempts int) *batch.Batch {
	var ds []adapter.Delivery
	for _, l := range []adapter.Lease{"l0", "l1", "l2"} {
		ds = append(ds, adapter.Delivery{ID: string(l), Attempts: attempts, Lease: l})
	}
	return batch.New("q", ds)
}

const s = time.Second

// The ack and retry matrix of the platform, in its documented column.
func TestOutcome(t *testing.T) {
	t.Parallel()
	again := batch.Policy{MaxRetries: 1, RetryDelay: 7 * s, DeadLetter: "dead"}
	ack := func(l adapter.Lease) adapter.Settlement { return adapter.Settlement{Lease: l} }
	retry := func(l adapter.Lease, d time.Duration) adapter.Settlement {
		return adapter.Settlement{Lease: l, Do: adapter.Retry, Delay: d}
	}
	move := func(l adapter.Lease) adapter.Settlement {
		return adapter.Settlement{Lease: l, Do: adapter.Move, To: "dead"}
	}
	tests := []struct {
		name     string
		attempts int
		do       func(*batch.Batch)
		failed   bool
		policy   batch.Policy
		want     []adapter.Settlement
	}{
		{"A-46 nothing marked", 1, func(b *batch.Batch) {}, false, again,
			[]adapter.Settlement{ack("l0"), ack("l1"), ack("l2")}},
		{"ack all", 1, func(b *batch.Batch) { b.Ack(0); b.Ack(1); b.Ack(2) }, false, again,
			[]adapter.Settlement{ack("l0"), ack("l1"), ack("l2")}},
		{"A-60 ack 0, retry 1 by 1 s", 1, func(b *batch.Batch) { b.Ack(0); b.Retry(1, s) }, false, again,
			[]adapter.Settlement{ack("l0"), retry("l1", s), ack("l2")}},
		{"A-47 fail", 1, func(b *batch.Batch) {}, true, again,
			[]adapter.Settlement{retry("l0", 7*s), retry("l1", 7*s), retry("l2", 7*s)}},
		{"A-48 ack 0, fail", 1, func(b *batch.Batch) { b.Ack(0) }, true, again,
			[]adapter.Settlement{ack("l0"), retry("l1", 7*s), retry("l2", 7*s)}},
		{"A-48 ack all, fail", 1, func(b *batch.Batch) { b.Ack(0); b.Ack(1); b.Ack(2) }, true, again,
			[]adapter.Settlement{ack("l0"), ack("l1"), ack("l2")}},
		{"retry 0 by 2 s, fail", 1, func(b *batch.Batch) { b.Retry(0, 2*s) }, true, again,
			[]adapter.Settlement{retry("l0", 2*s), retry("l1", 7*s), retry("l2", 7*s)}},
		{"A-44 ack then retry", 1, func(b *batch.Batch) { b.Ack(0); b.Retry(0, s) }, false, again,
			[]adapter.Settlement{ack("l0"), ack("l1"), ack("l2")}},
		{"A-44 retry then ack", 1, func(b *batch.Batch) { b.Retry(0, s); b.Ack(0) }, false, again,
			[]adapter.Settlement{retry("l0", s), ack("l1"), ack("l2")}},
		{"the last retry's delay", 1, func(b *batch.Batch) { b.Retry(0, 2*s); b.Retry(0, s) }, false, again,
			[]adapter.Settlement{retry("l0", s), ack("l1"), ack("l2")}},
		{"the last retry's default delay", 1, func(b *batch.Batch) { b.Retry(0, 2*s); b.Retry(0, 0) }, false, again,
			[]adapter.Settlement{retry("l0", 7*s), ack("l1"), ack("l2")}},
		{"A-42 retry by the default", 1, func(b *batch.Batch) { b.Retry(0, 0) }, false, again,
			[]adapter.Settlement{retry("l0", 7*s), ack("l1"), ack("l2")}},
		{"B-26 retry on the last attempt", 2, func(b *batch.Batch) { b.Retry(0, s) }, false, again,
			[]adapter.Settlement{move("l0"), ack("l1"), ack("l2")}},
		{"fail on the last attempt", 2, func(b *batch.Batch) { b.Ack(1) }, true, again,
			[]adapter.Settlement{move("l0"), ack("l1"), move("l2")}},
		{"B-32 no retries", 1, func(b *batch.Batch) {}, true, batch.Policy{DeadLetter: "dead"},
			[]adapter.Settlement{move("l0"), move("l1"), move("l2")}},
		{"B-29 no dead-letter queue", 1, func(b *batch.Batch) { b.Retry(0, s) }, false, batch.Policy{},
			[]adapter.Settlement{ack("l0"), ack("l1"), ack("l2")}},
		{"release does not count", 2, func(b *batch.Batch) { b.Release(0, s) }, true, again,
			[]adapter.Settlement{{Lease: "l0", Do: adapter.Retry, Delay: s, Uncounted: true}, move("l1"), move("l2")}},
		{"stopping", 1, func(b *batch.Batch) { b.Ack(0); b.Retry(1, 0) }, true,
			batch.Policy{MaxRetries: 1, RetryDelay: 7 * s, Hurried: true},
			[]adapter.Settlement{ack("l0"), retry("l1", 7*s), retry("l2", 0)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := three(tt.attempts)
			tt.do(b)
			if d := cmp.Diff(tt.want, b.Outcome(tt.failed, tt.policy)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestConflictsAreKeptOnce(t *testing.T) {
	t.Parallel()
	b := three(1)
	b.Ack(1)
	for range 1000 {
		b.Retry(1, s)
	}
	b.Retry(2, s)
	b.Ack(2)
	want := []batch.Conflict{{Index: 1, Call: batch.Retried, Stands: batch.Acked}, {Index: 2, Call: batch.Acked, Stands: batch.Retried}}
	if d := cmp.Diff(want, b.Conflicts()); d != "" {
		t.Error(d)
	}
	if m := b.Mark(2); m != (batch.Mark{Verb: batch.Retried, Delay: s}) {
		t.Errorf("mark = %+v", m)
	}
}

func TestIndexOutsidePanics(t *testing.T) {
	t.Parallel()
	for _, i := range []int{-1, 3} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("Ack(%d) did not panic", i)
				}
			}()
			three(1).Ack(i)
		}()
	}
}

func ExampleBatch_Outcome() {
	b := batch.New("mail", []adapter.Delivery{{ID: "a", Attempts: 1, Lease: "x"}, {ID: "b", Attempts: 1, Lease: "y"}})
	b.Retry(1, 30*time.Second)
	for _, settlement := range b.Outcome(false, batch.Policy{MaxRetries: 3}) {
		fmt.Println(settlement.Do, settlement.Delay)
	}
	// Output:
	// ack 0s
	// retry 30s
}
