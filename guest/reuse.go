package guest

import (
	"fmt"
	"strings"

	"github.com/wazqueue/wazqueue/guest/wasi"
)

// Reuse says where an event's instance comes from.
type Reuse uint8

const (
	// Auto rewinds instances where that cannot be told from new ones, and makes
	// new ones otherwise.
	Auto Reuse = iota
	// New makes an instance for every event.
	New
	// Rewind rewinds instances wherever that is possible. What initialisation
	// asked the outside world for is then the same in every event: a Go guest's
	// map order and math/rand are, crypto/rand is not.
	Rewind
)

// ParseReuse reads what String returns. An empty text is Auto.
func ParseReuse(text string) (Reuse, bool) {
	for _, r := range []Reuse{Auto, New, Rewind} {
		if text == r.String() {
			return r, true
		}
	}
	return Auto, text == ""
}

// String returns auto, new or rewind, as the configuration has it.
func (r Reuse) String() string { return [...]string{"auto", "new", "rewind"}[r] }

// reuse says how a program's instances are reused, and why not otherwise.
type reuse struct {
	impossible []string // reasons why no instance can be rewound
	observable []string // what could be told from a new instance
}

// decide looks at a module and at the instance that was tried: its snapshot is
// the whole of its state if nothing makes it impossible, and like that of every
// other new instance if its initialisation asked for nothing.
func (p *Program) decide(used wasi.Use) reuse {
	r := reuse{impossible: p.code.why}
	if p.entries.command() {
		r.impossible = append(r.impossible, "a command is initialised by the same _start that handles the event")
	}
	if words := used.Words(); len(words) > 0 {
		r.observable = []string{"initialisation used " + strings.Join(words, ", ")}
	}
	return r
}

// mode is what becomes of a wish, and the reasons.
func (r reuse) mode(wish Reuse) (Reuse, []string, error) {
	switch {
	case wish == New:
		return New, []string{"the configuration says so"}, nil
	case wish == Rewind && len(r.impossible) > 0:
		return New, nil, fmt.Errorf("instances cannot be rewound: %s", strings.Join(r.impossible, "; "))
	case wish == Rewind && len(r.observable) > 0:
		return Rewind, append([]string{"the configuration says so"}, r.observable...), nil
	case len(r.impossible)+len(r.observable) > 0:
		return New, append(r.impossible, r.observable...), nil
	}
	return Rewind, []string{"it cannot be told from a new instance"}, nil
}
