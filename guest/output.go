package guest

import (
	"bytes"
	"io"
)

// output is what one event's guest prints: whole lines, up to a limit.
type output struct {
	program *Program
	streams [2]stream
	left    int  // bytes until the limit, both streams together
	cut     bool // a line did not fit: from it on everything is dropped
}

// stream holds back the line that is not finished.
type stream struct {
	output *output
	to     io.Writer
	line   []byte
}

// begin makes room for an event's output.
func (o *output) begin() {
	o.left, o.cut = o.program.config.OutputBytes, false
	for i, to := range []io.Writer{o.program.config.Stdout, o.program.config.Stderr} {
		o.streams[i] = stream{output: o, to: to}
	}
}

// end writes the lines that were never finished, as lines, and reports whether
// output was cut. The next event may then begin.
func (o *output) end() (cut bool) {
	for i := range o.streams {
		if s := &o.streams[i]; len(s.line) > 0 {
			s.print([]byte{'\n'})
		}
	}
	cut = o.cut
	o.begin()
	return cut
}

// Write takes what the guest prints. It never fails: a guest does not learn of
// the limit, nor of a terminal that went away.
func (s *stream) Write(b []byte) (int, error) {
	whole := bytes.LastIndexByte(b, '\n') + 1
	if whole > 0 {
		s.print(b[:whole])
	}
	rest := b[whole:]
	if len(s.line)+len(rest) > s.output.left {
		s.output.drop()
	}
	if !s.output.cut {
		s.line = append(s.line, rest...)
	}
	return len(b), nil
}

// print writes the held-back line and the lines in b, as many as fit.
func (s *stream) print(b []byte) {
	o := s.output
	if o.cut {
		return
	}
	if len(s.line) > 0 {
		b = append(s.line, b...)
		s.line = b[:0] // room for the next
	}
	if len(b) > o.left {
		b = b[:bytes.LastIndexByte(b[:o.left], '\n')+1]
		o.drop()
	}
	o.left -= len(b)
	if s.to == nil || len(b) == 0 {
		return
	}
	o.program.printing.Lock()
	defer o.program.printing.Unlock()
	_, _ = s.to.Write(b)
}

func (o *output) drop() {
	o.cut = true
	for i := range o.streams {
		o.streams[i].line = nil
	}
}
