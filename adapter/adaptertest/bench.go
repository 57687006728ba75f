package adaptertest

import (
	"context"
	"sync"
	"testing"

	"github.com/wazqueue/wazqueue/adapter"
)

// Bench measures the engine with bodies of 200 bytes, in messages a second:
//
//	send1     one caller, one message a call
//	send1c64  64 callers, one message a call
//	send100   one caller, 100 messages a call
//	drain100  receive 100 and ack them, sent by hundreds
//	recv1     receive one and ack it, sent by hundreds
//
// open gives each of them an adapter on an empty store; Bench closes it.
func Bench(b *testing.B, open func(b *testing.B) adapter.Adapter) {
	for _, bench := range []struct {
		name string
		run  func(*bencher)
	}{
		{"send1", func(b *bencher) { b.sends(1, 1) }},
		{"send1c64", func(b *bencher) { b.sends(1, 64) }},
		{"send100", func(b *bencher) { b.sends(100, 1) }},
		{"drain100", func(b *bencher) { b.drains(100) }},
		{"recv1", func(b *bencher) { b.drains(1) }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			a := open(b)
			b.Cleanup(func() {
				if err := a.Close(); err != nil {
					b.Errorf("Close: %v", err)
				}
			})
			b.ReportAllocs()
			bench.run(&bencher{B: b, a: a, ctx: context.Background()})
		})
	}
}

// round is how many messages a queue holds at most: enough to be a backlog,
// few enough to fit into memory.
const round = 20_000

type bencher struct {
	*testing.B
	a   adapter.Adapter
	ctx context.Context
}

func (b *bencher) messages(n int) []adapter.Message {
	ms := make([]adapter.Message, n)
	for i := range ms {
		ms[i] = adapter.Message{Type: adapter.JSON, Body: make([]byte, 200)}
		for j := range ms[i].Body {
			ms[i].Body[j] = 'a' + byte(i+j)%26
		}
	}
	return ms
}

func (b *bencher) send(ms []adapter.Message) {
	if err := b.a.Send(b.ctx, q, ms...); err != nil {
		b.Errorf("Send: %v", err)
	}
}

// rate reports messages of size n to an operation as messages a second.
func (b *bencher) rate(n int) {
	b.StopTimer()
	b.ReportMetric(float64(b.N*n)/b.Elapsed().Seconds(), "msg/s")
}

// sends times calls of n messages by that many callers, emptying the queue
// aside from the clock.
func (b *bencher) sends(n, callers int) {
	calls := round / n
	ms := b.messages(n)
	b.ResetTimer()
	for done := 0; done < b.N; done += calls {
		todo := min(calls, b.N-done)
		if callers == 1 {
			for range todo {
				b.send(ms)
			}
		} else {
			var wg sync.WaitGroup
			for c := range callers {
				wg.Go(func() {
					for i := c; i < todo; i += callers {
						b.send(ms)
					}
				})
			}
			wg.Wait()
		}
		b.StopTimer()
		b.empty()
		b.StartTimer()
	}
	b.rate(n)
}

// empty takes everything out of the queue.
func (b *bencher) empty() {
	if b.a.Capabilities().Control {
		if _, err := b.a.Purge(b.ctx, q); err != nil {
			b.Fatalf("Purge: %v", err)
		}
		return
	}
	for b.drain(100, make([]adapter.Settlement, 0, 100)) > 0 {
	}
}

// drain receives at most n, acks them and returns how many they were.
func (b *bencher) drain(n int, s []adapter.Settlement) int {
	ds, err := b.a.Receive(b.ctx, q, adapter.ReceiveOptions{Max: n})
	if err != nil {
		b.Fatalf("Receive: %v", err)
	}
	for i := range ds {
		s = append(s, adapter.Settlement{Lease: ds[i].Lease})
	}
	if err := b.a.Settle(b.ctx, q, s...); err != nil {
		b.Fatalf("Settle: %v", err)
	}
	return len(ds)
}

// drains times receiving n and acking them, filling the queue by hundreds
// aside from the clock.
func (b *bencher) drains(n int) {
	calls := round / n
	ms := b.messages(100)
	s := make([]adapter.Settlement, 0, n)
	b.ResetTimer()
	for done := 0; done < b.N; done += calls {
		todo := min(calls, b.N-done)
		b.StopTimer()
		for filled := 0; filled < todo*n; filled += 100 {
			b.send(ms)
		}
		b.StartTimer()
		for range todo {
			if got := b.drain(n, s); got != n {
				b.Fatalf("received %d, want %d", got, n)
			}
		}
		b.StopTimer()
		b.empty()
		b.StartTimer()
	}
	b.rate(n)
}
