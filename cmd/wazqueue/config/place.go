package config

import "fmt"

// Position is a place in a file.
type Position struct {
	File string
	Line int    // 0: the file as a whole
	Key  string // such as queues.consumers[0].queue; may be empty
}

// String returns file:line: key, without the parts that are unknown.
func (p Position) String() string {
	s := p.File
	if p.Line > 0 {
		s = fmt.Sprintf("%s:%d", s, p.Line)
	}
	if p.Key != "" {
		s += ": " + p.Key
	}
	return s
}

// Places are the positions of an object's keys.
type Places map[string]Position

// Problem is something in a file that is refused.
type Problem struct {
	At   Position
	Text string
}

func (p *Problem) Error() string { return p.At.String() + ": " + p.Text }

// Warning is something in a file that is taken, though perhaps not meant.
type Warning struct {
	At   Position
	Text string
}

// String returns the warning with its place.
func (w Warning) String() string { return w.At.String() + ": " + w.Text }
