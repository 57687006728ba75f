package memory

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// TestSinglesJoin counts the records that single sends end in.
func TestSinglesJoin(t *testing.T) {
	t.Parallel()
	plain := adapter.Message{Body: []byte("body")}
	late := adapter.Message{Body: []byte("body"), Delay: adapter.After(time.Hour)}
	long := adapter.Message{Body: make([]byte, maxJoining+1)}
	type step func(*Adapter) error
	send := func(n int, m adapter.Message) step {
		return func(a *Adapter) error {
			for range n {
				if err := a.Send(t.Context(), "q", m); err != nil {
					return err
				}
			}
			return nil
		}
	}
	elsewhere := func(a *Adapter) error { return a.Send(t.Context(), "other", plain) }
	receive := func(a *Adapter) error {
		_, err := a.Receive(t.Context(), "q", adapter.ReceiveOptions{})
		return err
	}
	expired := func(a *Adapter) error {
		_, err := a.Receive(t.Context(), "q", adapter.ReceiveOptions{Lease: 1})
		time.Sleep(time.Nanosecond)
		return err
	}
	wait := func(d time.Duration) step {
		return func(*Adapter) error { time.Sleep(d); return nil }
	}
	tests := []struct {
		name  string
		steps []step
		want  int
	}{
		{"of one moment", []step{send(100, plain)}, 1},
		{"more than a record takes", []step{send(2*chunk+1, plain)}, 3},
		{"within a millisecond", []step{send(2, plain), wait(time.Millisecond - 1), send(2, plain)}, 1},
		{"over a millisecond's end", []step{send(2, plain), wait(time.Millisecond), send(2, plain)}, 2},
		{"with other queues between", []step{send(1, plain), elsewhere, send(1, plain), elsewhere, send(1, plain)}, 1},
		{"delayed ones stay alone", []step{send(1, plain), send(2, late), send(1, plain)}, 3},
		{"be it for a nanosecond", []step{send(1, plain), send(1, adapter.Message{Delay: adapter.After(1)})}, 2},
		{"long ones stay alone", []step{send(1, plain), send(1, long), send(1, plain)}, 3},
		{"bytes have a limit, too", []step{send(40, adapter.Message{Body: make([]byte, maxJoining)})}, 3},
		{"not with one that is leased", []step{send(1, plain), receive, send(1, plain)}, 2},
		{"not with one that was", []step{send(1, plain), expired, send(1, plain)}, 2},
		{"not with one that is taken apart", []step{send(3, plain), receive, send(1, plain)}, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := Open()
				defer a.Close()
				for i, s := range tt.steps {
					if err := s(a); err != nil {
						t.Fatal(fmt.Errorf("step %d: %w", i, err))
					}
				}
				got := 0
				for range a.queues["q"].all {
					got++
				}
				if got != tt.want {
					t.Errorf("%d records, want %d", got, tt.want)
				}
			})
		})
	}
}
