package consumer

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Check returns what is wrong with the consumers of one process and one store:
// values out of range, two consumers of one queue, and queues whose dead
// letters come back to them. It does not ask for Adapter and Handler, so that a
// configuration can be checked before either exists.
func Check(configs ...Config) error {
	var errs []error
	next := make(map[string]string, len(configs)) // queue → its dead-letter queue
	for _, c := range configs {
		errs = append(errs, c.check())
		if _, ok := next[c.Queue]; ok {
			errs = append(errs, fmt.Errorf("two consumers of queue %q: run it with a higher MaxConcurrency instead", c.Queue))
			continue
		}
		next[c.Queue] = c.DeadLetter
	}
	told := make(map[string]bool) // the queues of cycles that were reported
	for _, c := range configs {
		cycle := cycleFrom(c.Queue, next)
		if cycle == nil || told[c.Queue] {
			continue
		}
		for _, q := range cycle {
			told[q] = true
		}
		errs = append(errs, fmt.Errorf("dead letters would go round for ever: %s", arrows(cycle)))
	}
	return errors.Join(errs...)
}

// cycleFrom returns the way from queue back to itself, without the return.
func cycleFrom(queue string, next map[string]string) []string {
	var way []string
	for q := queue; q != "" && len(way) < len(next); q = next[q] {
		way = append(way, q)
		if next[q] == queue {
			return way
		}
	}
	return nil
}

func arrows(cycle []string) string {
	var s strings.Builder
	for _, q := range cycle {
		s.WriteString(strconv.Quote(q) + " → ")
	}
	return s.String() + strconv.Quote(cycle[0])
}
