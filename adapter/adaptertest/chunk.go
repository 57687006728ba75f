package adaptertest

import (
	"fmt"

	"github.com/wazqueue/wazqueue/adapter"
)

// chunkTests: engines may store what one Send brings as one record. These
// take such a record apart in every way.
var chunkTests = []test{
	{name: "one at a time from chunks of 100", run: func(e *env) {
		bodies := numbered("m", 200)
		e.send(q, bodies[:100]...)
		e.send(q, bodies[100:]...)
		for i, b := range bodies {
			ds := e.receive(q, 1)
			e.bodies(ds, b)
			e.attempts(ds, 1)
			if i%2 == 0 {
				e.settle(q, ack(ds...)...)
			}
		}
		e.counts(q, 0, 0, 100)
	}},
	{name: "one at a time, all held, then settled in mixed ways", run: func(e *env) {
		bodies := numbered("m", 40)
		e.send(q, bodies...)
		var ds []adapter.Delivery
		for range bodies {
			ds = append(ds, e.receive(q, 1)...)
		}
		e.mixed(ds)
	}},
	{name: "a mixed settle of one chunk", run: func(e *env) {
		e.send(q, numbered("m", 40)...)
		e.mixed(e.receive(q, 40))
	}},
	{name: "a mixed settle of several chunks", run: func(e *env) {
		bodies := numbered("m", 40)
		for _, cut := range [][2]int{{0, 1}, {1, 12}, {12, 13}, {13, 14}, {14, 33}, {33, 40}} {
			e.send(q, bodies[cut[0]:cut[1]]...)
		}
		e.mixed(e.receive(q, 40))
	}},
	{name: "a mixed settle, one call for each item", run: func(e *env) {
		e.send(q, numbered("m", 12)...)
		ds := e.receive(q, 12)
		for i, d := range ds {
			switch i % 3 {
			case 0:
				e.settle(q, ack(d)...)
			case 1:
				e.settle(q, retry(0, d)...)
			case 2:
				e.settle(q, move("dead", d)...)
			}
		}
		e.attempts(e.take(q, "m1", "m4", "m7", "m10"), 2)
		e.attempts(e.take("dead", "m2", "m5", "m8", "m11"), 1)
		e.counts(q, 0, 0, 4)
		e.counts("dead", 0, 0, 4)
	}},
	{name: "a part retried again and again", run: func(e *env) {
		bodies := numbered("m", 64)
		e.send(q, bodies...)
		ds := e.receive(q, 64)
		for n := 2; len(ds) > 1; n++ {
			half := len(ds) / 2
			s := append(ack(ds[:half]...), retry(0, ds[half:]...)...)
			e.settle(q, s...)
			bodies = bodies[half:]
			ds = e.receive(q, 64)
			e.bodies(ds, bodies...)
			e.attempts(ds, n)
		}
	}},
	{name: "parts with different pasts are received together", run: func(e *env) {
		e.send(q, numbered("m", 6)...)
		ds := e.receive(q, 4)
		s := append(ack(ds[1]), release(0, ds[2])...)
		s = append(s, retry(0, ds[3])...)
		e.settle(q, s...)
		got := e.receive(q, 10)
		e.bodies(got, "m4", "m5", "m2", "m3")
		var attempts []int
		for _, d := range got {
			attempts = append(attempts, d.Attempts)
		}
		if want := "[1 1 1 2]"; fmt.Sprint(attempts) != want {
			e.Errorf("attempts %v, want %v", attempts, want)
		}
	}},
	{name: "a chunk expires in parts", run: func(e *env) {
		e.send(q, numbered("m", 6)...)
		lease := func(n int, ticks float64) []adapter.Delivery {
			return e.receiveWith(q, adapter.ReceiveOptions{Max: n, Lease: e.ticks(ticks)})
		}
		lease(2, 3)
		ds := lease(2, 1)
		lease(2, 2)
		e.settle(q, ack(ds[0])...)
		e.sleep(1.3)
		e.attempts(e.take(q, "m3"), 2)
		e.sleep(1)
		e.attempts(e.take(q, "m4", "m5"), 2)
		e.sleep(1)
		e.attempts(e.take(q, "m0", "m1"), 2)
	}},
	{name: "more than a chunk and less than two", run: func(e *env) {
		bodies := numbered("m", 300)
		for i := 0; i < 300; i += 100 {
			e.send(q, bodies[i:i+100]...)
		}
		for i := 0; i < 300; i += 60 {
			ds := e.receive(q, 60)
			e.bodies(ds, bodies[i:i+60]...)
			e.settle(q, ack(ds[10:]...)...)
		}
		e.counts(q, 0, 0, 50)
	}},
}

// mixed settles 40 deliveries in one call by their place: a quarter each is
// acked, retried, moved and released, and checks where they went.
func (e *env) mixed(ds []adapter.Delivery) {
	e.Helper()
	if len(ds) != 40 {
		e.Fatalf("%d deliveries, want 40", len(ds))
	}
	var s []adapter.Settlement
	var want [4][]string
	for i, d := range ds {
		switch i % 4 {
		case 0:
			s = append(s, ack(d)...)
		case 1:
			s = append(s, retry(0, d)...)
		case 2:
			s = append(s, move("dead", d)...)
		case 3:
			s = append(s, release(e.ticks(1), d)...)
		}
		want[i%4] = append(want[i%4], string(d.Body))
	}
	e.settle(q, s...)
	e.counts("dead", 10, 0, 0)
	e.attempts(e.take(q, want[1]...), 2)
	e.attempts(e.take("dead", want[2]...), 1)
	e.sleep(1.3)
	e.attempts(e.take(q, want[3]...), 1)
}
