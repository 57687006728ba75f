package rewrite

// site is a place in a function where code is put in or an index replaced.
type site struct {
	span        // what it replaces
	op   opcode // of the instruction that is here
	n    int32  // the steps of a loop
}

// block is an open block, loop or if.
type block struct {
	loop  int // its index in sites; -1: not a loop
	at    int
	calls int // before it
}

// code appends the code section with its functions' steps counted.
func (e *edit) code(out []byte, s span) []byte {
	r := e.reader(s)
	n := r.u32()
	out = appendU32(out, n)
	var function []byte
	for range n {
		function = e.function(function[:0], r.part())
		out = append(appendU32(out, uint32(len(function))), function...)
	}
	return out
}

// function appends one function. Where it begins it pays for all its code, since
// without a loop it runs through that at most once; at the head of a loop it pays
// for the loop. Functions that neither call anything nor are long do not pay
// where they begin: recursion goes through a call.
func (e *edit) function(out []byte, body span) []byte {
	t := e.meter
	code, calls := t.survey(e.reader(body))
	out = append(out, e.b[body.at:code.at]...)
	if calls > 0 || code.end-code.at > leafBytes {
		out = t.spend(out, steps(code.end-code.at, calls))
	}
	at := code.at
	for _, s := range t.sites {
		out = append(out, e.b[at:s.at]...)
		at = s.end
		switch s.op {
		case opLoop:
			out = t.spend(out, s.n)
		case opCall, opRefFunc:
			out = appendU32(out, t.function(e.reader(s.span).u32()))
		default:
			out = t.spendBulk(out)
		}
	}
	return append(out, e.b[at:code.end]...)
}

// survey finds the sites of a function.
func (t *meter) survey(r *reader) (code span, calls int) {
	t.sites, t.blocks = t.sites[:0], t.blocks[:0]
	code = r.walk(func(in instruction) {
		switch {
		case in.op == opBlock || in.op == opIf:
			t.blocks = append(t.blocks, block{loop: -1})
		case in.op == opLoop:
			t.blocks = append(t.blocks, block{len(t.sites), in.at, calls})
			t.sites = append(t.sites, site{span: span{in.args.end, in.args.end}, op: in.op})
		case in.op == opEnd && len(t.blocks) > 0: // the last one ends the function
			b := t.blocks[len(t.blocks)-1]
			t.blocks = t.blocks[:len(t.blocks)-1]
			if b.loop >= 0 {
				t.sites[b.loop].n = steps(in.at-b.at, calls-b.calls)
			}
		case in.op == opCall:
			calls++
			t.sites = append(t.sites, site{span: in.args, op: in.op})
		case in.op == opCallTable:
			calls++
		case in.op == opRefFunc:
			t.sites = append(t.sites, site{span: in.args, op: in.op})
		case isBulk(in.op):
			t.sites = append(t.sites, site{span: span{in.at, in.at}, op: in.op})
		}
	})
	return code, calls
}
