package consumer

import (
	"context"
	"fmt"
	"time"
)

const (
	unwindTime = 5 * time.Second // for ended handlers to return and their messages to be settled
	lastTime   = time.Second     // for what is left when settling is given up
)

// drain waits for receiving to end and then for the workers: for as long as
// Grace their events run on, then endEvents ends them, and if that does not
// help giveUp ends what still settles.
func (e *engine) drain(receiving context.Context, endEvents, giveUp func()) error {
	done := make(chan struct{})
	go func() {
		e.workers.Wait()
		close(done)
	}()
	defer giveUp()
	defer endEvents()
	<-receiving.Done()
	if within(done, e.Grace) {
		return nil
	}
	endEvents()
	if within(done, unwindTime) {
		return nil
	}
	giveUp()
	if within(done, lastTime) {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return fmt.Errorf("consumer of queue %q: %d events did not end: their handlers do not return", e.Queue, e.busy)
}

// within reports whether done is closed before d has passed.
func within(done <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
