package consumer

// maxReceives is how many Receives run at once while batches come in full: one
// at a time would bound a store on the network to a batch a round trip.
const maxReceives = 4

// turn is a worker's right to receive.
type turn uint8

const (
	none turn = iota
	wait      // waits for messages; there is one such worker
	look      // takes what is ready, beside it
)

// work is one worker: it receives a batch, sees it through, and goes on while
// there is a turn for it. A worker without a turn ends: an idle queue has one.
func (e *engine) work(p phases, t turn) {
	defer e.leave(p)
	for ; t != none; t = e.again(p) {
		ds := e.receive(p, t)
		e.received(p, t, len(ds))
		if len(ds) > 0 {
			e.handle(p, ds)
		}
	}
}

// start starts a worker for each turn there is, as far as slots are free.
func (e *engine) start(p phases) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.startLocked(p)
}

func (e *engine) startLocked(p phases) {
	for e.busy < e.MaxConcurrency {
		t := e.takeLocked(p)
		if t == none {
			return
		}
		e.busy++
		e.workers.Add(1)
		go e.work(p, t)
	}
}

func (e *engine) takeLocked(p phases) turn {
	switch {
	case p.stopping():
		return none
	case !e.waits:
		e.waits = true
		e.receiving++
		return wait
	case e.receiving < e.wanted:
		e.receiving++
		return look
	}
	return none
}

func (e *engine) again(p phases) turn {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.takeLocked(p)
}

// received gives the turn t back after n messages came. Before the worker turns
// to them, others take up receiving.
func (e *engine) received(p phases, t turn, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.receiving--
	if t == wait {
		e.waits = false
	}
	if n < e.MaxBatchSize {
		e.wanted = 1
	} else {
		e.wanted = min(e.wanted+1, maxReceives)
	}
	if n > 0 {
		e.startLocked(p)
	}
}

// leave frees the worker's slot. That is also where a worker ends whose handler
// ended its goroutine, so another may have to take its place.
func (e *engine) leave(p phases) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer e.workers.Done()
	e.busy--
	e.startLocked(p)
}
