package memory_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/adapter/memory"
)

// TestWakesExactly: beyond the contract, this engine returns at the very
// moment at which there is something, or nothing more, to wait for.
func TestWakesExactly(t *testing.T) {
	t.Parallel()
	o := adapter.ReceiveOptions{Max: 5, Linger: 10 * time.Second, Wait: 2 * time.Second}
	tests := []struct {
		name     string
		before   func(context.Context, *memory.Adapter) error
		meantime func(context.Context, *memory.Adapter) error // at half a second
		after    time.Duration
		messages int
	}{
		{name: "the end of Wait", after: 2 * time.Second},
		{
			name:     "what comes before the end of Wait is lingered for",
			meantime: func(ctx context.Context, a *memory.Adapter) error { return a.Send(ctx, "q", adapter.Message{}) },
			after:    10*time.Second + 500*time.Millisecond,
			messages: 1,
		},
		{
			name: "retention takes the last message after Wait",
			before: func(ctx context.Context, a *memory.Adapter) error {
				if err := a.Configure(ctx, "q", func(s *adapter.Settings) { s.Retention = 5 * time.Second }); err != nil {
					return err
				}
				return a.Send(ctx, "q", adapter.Message{})
			},
			after: 5 * time.Second,
		},
		{
			name: "a shorter retention takes it",
			before: func(ctx context.Context, a *memory.Adapter) error {
				return a.Send(ctx, "q", adapter.Message{})
			},
			meantime: func(ctx context.Context, a *memory.Adapter) error {
				return a.Configure(ctx, "q", func(s *adapter.Settings) { s.Retention = 3 * time.Second })
			},
			after: 3 * time.Second,
		},
		{
			name:     "a negative delay is none",
			meantime: sendFive(-time.Hour),
			after:    500 * time.Millisecond,
			messages: 5,
		},
		{
			name:     "a due time as Wait ends",
			meantime: sendFive(1500 * time.Millisecond),
			after:    2 * time.Second,
			messages: 5,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				a := memory.Open()
				defer a.Close()
				do := func(f func(context.Context, *memory.Adapter) error) {
					if f == nil {
						return
					}
					if err := f(t.Context(), a); err != nil {
						t.Error(err)
					}
				}
				start := time.Now()
				do(tt.before)
				time.AfterFunc(500*time.Millisecond, func() { do(tt.meantime) })
				ds, err := a.Receive(t.Context(), "q", o)
				if took := time.Since(start); err != nil || len(ds) != tt.messages || took != tt.after {
					t.Errorf("%d messages after %v, error %v, want %d after %v", len(ds), took, err, tt.messages, tt.after)
				}
			})
		})
	}
}

func sendFive(delay time.Duration) func(context.Context, *memory.Adapter) error {
	return func(ctx context.Context, a *memory.Adapter) error {
		if err := a.Configure(ctx, "q", func(s *adapter.Settings) { s.DeliveryDelay = time.Minute }); err != nil {
			return err
		}
		m := adapter.Message{Delay: adapter.After(delay)}
		return a.Send(ctx, "q", m, m, m, m, m)
	}
}
