package config

import (
	"fmt"
	"path/filepath"
	"strings"
)

// DefaultStore is the store of a first file that names none, relative to it.
const DefaultStore = "sqlite:.wazqueue/queues.db"

// Together checks what the files of one process must agree on: one consumer
// and one delivery delay for a queue, no circle of dead-letter queues.
func Together(files ...*Config) ([]Warning, error) {
	src := source{problems: conflicts(files...)}
	if err := src.err(); err != nil {
		return nil, err
	}
	return unconsumed(files), nil
}

// Store returns the URL of the store the files share, which is the first
// one's. A file that names none goes with it.
func Store(files ...*Config) (string, error) {
	first := files[0]
	shared, named := first.Store, "names"
	if shared == "" {
		shared, named = "sqlite:"+first.besideURL(strings.TrimPrefix(DefaultStore, "sqlite:")), "leaves it at"
	}
	var src source
	for _, c := range files[1:] {
		if c.Store != "" && !sameStore(c.Store, shared) {
			src.refuse(c.At["wazqueue.store"], "is %s, but %s %s %s; all files share one store", c.Store, first.File, named, shared)
		}
	}
	return shared, src.err()
}

func sameStore(a, b string) bool {
	if a == b {
		return true
	}
	pa, aok := strings.CutPrefix(a, "sqlite:")
	pb, bok := strings.CutPrefix(b, "sqlite:")
	if !aok || !bok {
		return false
	}
	absA, errA := filepath.Abs(pa)
	absB, errB := filepath.Abs(pb)
	return errA == nil && errB == nil && absA == absB
}

func conflicts(files ...*Config) []*Problem {
	var src source
	consumers := make(map[string]Consumer)
	delays := make(map[string]Producer)
	for _, c := range files {
		for _, p := range c.Producers {
			if p.DeliveryDelay == nil || p.Queue == "" {
				continue
			}
			other, ok := delays[p.Queue]
			if ok && *other.DeliveryDelay != *p.DeliveryDelay {
				src.refuse(p.At["delivery_delay"], "is %v, but %q has %v at %s; a queue has one delivery delay",
					*p.DeliveryDelay, p.Queue, *other.DeliveryDelay, other.At["delivery_delay"])
			} else if !ok {
				delays[p.Queue] = p
			}
		}
		for _, k := range c.Consumers {
			if k.Queue == "" {
				continue // refused for that already
			}
			if other, ok := consumers[k.Queue]; ok {
				src.refuse(k.At["queue"], "%q has a consumer already, at %s", k.Queue, other.At["queue"])
				continue
			}
			consumers[k.Queue] = k
		}
	}
	src.refuseCycles(files, consumers)
	return src.problems
}

// refuseCycles follows the dead letters of each queue. A message in a circle
// of them would never end.
func (s *source) refuseCycles(files []*Config, consumers map[string]Consumer) {
	done := make(map[string]bool)
	for _, c := range files {
		for _, k := range c.Consumers {
			var trail []string
			on := make(map[string]int)
			for q := k.Queue; q != "" && !done[q]; q = consumers[q].DeadLetter {
				if start, ok := on[q]; ok {
					circle := append(trail[start:], q)
					s.refuse(consumers[q].At["dead_letter_queue"], "dead letters go in a circle: %s", quoted(circle))
					break
				}
				on[q] = len(trail)
				trail = append(trail, q)
			}
			for _, q := range trail {
				done[q] = true
			}
		}
	}
}

func quoted(queues []string) string {
	var out []string
	for _, q := range queues {
		out = append(out, fmt.Sprintf("%q", q))
	}
	return strings.Join(out, " to ")
}

// unconsumed warns once of each queue that fills and that nobody here empties.
func unconsumed(files []*Config) []Warning {
	known := make(map[string]bool)
	for _, c := range files {
		for _, k := range c.Consumers {
			known[k.Queue] = true
		}
	}
	var src source
	check := func(queue string, at Position) {
		if queue != "" && !known[queue] {
			known[queue] = true
			src.warn(at, "%q has no consumer in any file; its messages wait until they are too old", queue)
		}
	}
	for _, c := range files {
		for _, p := range c.Producers {
			check(p.Queue, p.At["queue"])
		}
		for _, k := range c.Consumers {
			check(k.DeadLetter, k.At["dead_letter_queue"])
		}
	}
	return src.warnings
}
