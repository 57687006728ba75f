package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/consumer"
)

// what a guest sends, the same guest reads.
func TestSendAndConsume(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.expect(raw("send PAGE_QUEUE 0", quote("kind\nread 1\nack 0")), "send 0")
		events := r.consume(time.Second, consumer.Config{})
		if len(events) != 1 || !strings.HasPrefix(events[0].Out, "kind 5 =queue\n") || !strings.HasSuffix(events[0].Out, "ack 0\n") {
			r.t.Errorf("delivered %+v", events)
		}
	})
}

// the event's kind is queue.: every batch has a new instance.
func TestOneInstanceABatch(t *testing.T) {
	t.Parallel()
	onBoth(t, "kind\ncount\ncount", func(r *rig) {
		r.send("1", "2", "3")
		events := r.consume(time.Second, consumer.Config{MaxBatchSize: 1})
		if len(events) != 3 {
			r.t.Fatalf("delivered %+v", events)
		}
		for _, e := range events {
			if want := "kind 5 =queue\ncount 1\ncount 2\n"; e.Out != want {
				r.t.Errorf("printed %q, want %q", e.Out, want)
			}
		}
	})
}

// marks hold for their own event only. A second event on the redelivered
// message starts without them.
func TestMarksAreOfOneEvent(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.send(quote("retry 0 5"))
		events := r.consume(11*time.Second, consumer.Config{MaxRetries: new(1)})
		if len(events) != 2 || events[1].At != 5*time.Second || events[1].Attempts[0] != 2 {
			r.t.Fatalf("delivered %+v", events)
		}
		// The second retry was of the last attempt; without a dead-letter queue the message is gone.
		if s, err := r.store.Stats(r.t.Context(), queue); err != nil || s != (adapter.Stats{}) {
			r.t.Errorf("left %+v, %v", s, err)
		}
	})
}

// the order is the index order, attempts count up, the
// time stays that of the enqueue, and reading marks nothing.
func TestRedeliveryReadsTheSame(t *testing.T) {
	t.Parallel()
	onBoth(t, "read\nretry 1 7\n", func(r *rig) {
		at := time.Now().UnixMilli()
		r.send("10", "11")
		events := r.consume(8*time.Second, consumer.Config{MaxRetries: new(5)})
		if len(events) != 2 {
			r.t.Fatalf("delivered %+v", events)
		}
		second := fmt.Sprintf(`{"id":"%s","attempts":2,"timestamp":%d,"body":11}`, events[0].IDs[1], at)
		if !strings.Contains(events[1].Out, `"messages":[`+second+`]}`) {
			r.t.Errorf("read %q, want %s", events[1].Out, second)
		}
		// Index 1 is not in the second batch.
		if !strings.HasSuffix(events[1].Out, "retry 1 队列消息序号越界\n") {
			r.t.Errorf("printed %q", events[1].Out)
		}
	})
}

// a body that is no JSON value throws, one nested too deep aborts,
// each in an event of its own: the neighbours are handled.
func TestUnreadableBodies(t *testing.T) {
	t.Parallel()
	onBoth(t, "read", func(r *rig) {
		deep := strings.Repeat("[", 33) + strings.Repeat("]", 33)
		if err := r.store.Adapter.Send(r.t.Context(), queue,
			adapter.Message{Body: []byte("1")}, adapter.Message{Type: adapter.Bytes, Body: []byte("x")},
			adapter.Message{Body: []byte(deep)}, adapter.Message{Body: []byte("4")}); err != nil {
			r.t.Fatal(err)
		}
		events := r.consume(time.Second, consumer.Config{MaxRetries: new(0)})
		if len(events) != 3 || len(events[0].IDs) != 2 || events[0].Failed || !events[2].Failed {
			r.t.Fatalf("delivered %+v", events)
		}
		if want := "read -1 !队列消息正文不是 JSON 值：序号 0\n"; events[1].Out != want {
			r.t.Errorf("printed %q, want %q", events[1].Out, want)
		}
		if !strings.Contains(r.log.String(), "宿主结果嵌套过深") {
			r.t.Errorf("the log says %s", r.log.String())
		}
	})
}

// the first of ack and retry wins, of several retries
// the last delay; 0 is the configured delay; unmarked messages are done.
func TestMarks(t *testing.T) {
	t.Parallel()
	onBoth(t, "", func(r *rig) {
		r.send(quote("ack 0\nack 0\nretry 0 9\nretry 1 9\nack 1\nretry 2 9\nretry 2 8\nretry 3 0"), "1", "2", "3", "4")
		r.consume(time.Second, consumer.Config{RetryDelay: 20 * time.Second})
		ack := adapter.Settlement{Do: adapter.Ack}
		retry := func(s time.Duration) adapter.Settlement {
			return adapter.Settlement{Do: adapter.Retry, Delay: s * time.Second}
		}
		r.settled(ack, retry(9), retry(8), retry(20), ack)
		if strings.Count(r.log.String(), "has no effect") != 2 {
			r.t.Errorf("the losing calls are not logged: %s", r.log.String())
		}
	})
}

// what is out of range does nothing, and nothing is settled by it.
func TestOutOfRangeMarksNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, "retry 0 43201\nretry 0 -1\nack 1\nfail", func(r *rig) {
		r.send("1")
		r.consume(time.Second, consumer.Config{RetryDelay: time.Hour})
		r.settled(adapter.Settlement{Do: adapter.Retry, Delay: time.Hour})
	})
}

// a failed event's batch comes again, without what it had acked.
func TestFailureKeepsMarks(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"fail", "trap", "exit 9", raw("send OTHER 0", "1")} {
		t.Run(strings.Fields(end)[0], func(t *testing.T) {
			t.Parallel()
			onBoth(t, "ack 0\nretry 1 30\n"+end, func(r *rig) {
				r.send("0", "1", "2")
				events := r.consume(40*time.Second, consumer.Config{MaxRetries: new(1), RetryDelay: 10 * time.Second, DeadLetter: "dead"})
				type delivery struct {
					At  time.Duration
					IDs []string
				}
				var got []delivery
				for _, e := range events {
					got = append(got, delivery{e.At, e.IDs})
				}
				ids := events[0].IDs
				// In the second event message 2 is at index 0 and is acked; message 1 likewise in the third.
				want := []delivery{{0, ids}, {10 * time.Second, ids[2:]}, {30 * time.Second, ids[1:2]}}
				if d := cmp.Diff(want, got); d != "" {
					r.t.Error(d)
				}
			})
		})
	}
}

// an event has a time limit, and then has failed. The guest sleeps here,
// since a guest that loops would keep fake time from passing.
func TestTimeLimit(t *testing.T) {
	t.Parallel()
	onBoth(t, "sleep 1000000000", func(r *rig) {
		r.send("1")
		events := r.consume(16*time.Minute, consumer.Config{MaxRetries: new(0)})
		if len(events) != 1 || !events[0].Failed || !strings.Contains(r.log.String(), "timed out") {
			r.t.Errorf("delivered %+v, log %s", events, r.log.String())
		}
	})
}
