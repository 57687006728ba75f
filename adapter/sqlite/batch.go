package sqlite

import "slices"

// batch is what one transaction is to do.
type batch struct {
	reqs  []*request // sends and others, claimed
	lines []string   // queues whose waiting calls look
}

// answer is what a request is told once the transaction is committed.
type answer struct {
	r   *request
	err error
}

// sort claims requests, and puts those that wait for messages into their
// lines.
func (w *writer) sort(reqs []*request) *batch {
	b := &batch{}
	for _, r := range reqs {
		switch {
		case r.waits:
			w.join(r)
			b.lines = append(b.lines, r.queue)
		case r.claim():
			b.reqs = append(b.reqs, r)
		}
	}
	return b
}

// perform does b in t. When something in it fails, what is not to blame is
// done in transactions of their own: one damaged record must not stop all
// queues.
func (w *writer) perform(t *tx, b *batch) {
	err := t.do(b.reqs)
	if err == nil {
		err = w.serveAll(t, b.lines)
	}
	failed := err != nil
	if err == nil {
		err = t.commit()
	}
	if err == nil {
		w.committed(t)
		for _, r := range b.reqs {
			r.answer(nil)
		}
		return
	}
	w.store.rollback()
	t.deny(err)
	for name := range t.touched {
		b.lines = append(b.lines, name)
	}
	if failed && len(b.reqs)+len(b.lines) > 1 {
		w.apart(b)
		return
	}
	w.fail(b, err)
}

// do does what requests ask for.
func (t *tx) do(reqs []*request) error {
	var sends []*request
	for _, r := range reqs {
		if r.run == nil {
			sends = append(sends, r)
		}
	}
	if err := t.sends(sends); err != nil {
		return err
	}
	for _, r := range reqs {
		if r.run != nil {
			if err := r.run(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// serveAll serves the lines of this name and those that t touched.
func (w *writer) serveAll(t *tx, names []string) error {
	for _, name := range names {
		t.touched[name] = true
	}
	for name := range t.touched {
		if l := w.lines[name]; l != nil {
			if _, err := w.serve(t, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// committed tells those who were served, and notes what is left to do.
func (w *writer) committed(t *tx) {
	for _, a := range t.answers {
		a.r.answer(a.err)
	}
	w.tidy.note(t)
}

// deny tells those who would have been served that they were not.
func (t *tx) deny(err error) {
	for _, a := range t.answers {
		a.r.deliveries = nil
		a.r.answer(err)
	}
}

// apart does each request and each line of b in a transaction of its own.
func (w *writer) apart(b *batch) {
	lines := b.lines
	for _, r := range b.reqs {
		r.answer(w.alone(func(t *tx) error {
			err := t.do([]*request{r})
			for name := range t.touched {
				lines = append(lines, name)
			}
			return err
		}))
	}
	slices.Sort(lines)
	for _, name := range slices.Compact(lines) {
		err := w.alone(func(t *tx) error { return w.serveAll(t, []string{name}) })
		if err != nil {
			w.failLine(name, err)
		}
	}
}

func (w *writer) alone(f func(*tx) error) error {
	t, err := w.begin()
	if err != nil {
		return err
	}
	if err = f(t); err == nil {
		err = t.commit()
	}
	if err != nil {
		w.store.rollback()
		t.deny(err)
		return err
	}
	w.committed(t)
	return nil
}

// fail tells everybody in b.
func (w *writer) fail(b *batch, err error) {
	for _, r := range b.reqs {
		r.answer(err)
	}
	for _, name := range b.lines {
		w.failLine(name, err)
	}
}
