package guest

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// The hand-made context keeps the promises of one of the library's.
func TestLimitIsAContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		caller, cancel := context.WithCancel(context.Background())
		defer cancel()
		l := newLimit(caller, time.Second)
		child, stop := context.WithCancel(l)
		defer stop()
		if l.Err() != nil || child.Err() != nil {
			t.Fatal("ended before its time")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		for range 2 { // what follows changes nothing
			if !errors.Is(l.Err(), context.DeadlineExceeded) || !errors.Is(child.Err(), context.DeadlineExceeded) {
				t.Errorf("after the limit: %v, child %v", l.Err(), child.Err())
			}
			<-l.Done()
			cancel()
			l.end()
		}

		l = newLimit(context.Background(), time.Second)
		child, stop = context.WithCancel(l)
		defer stop()
		l.end()
		synctest.Wait()
		if !errors.Is(l.Err(), context.Canceled) || !errors.Is(child.Err(), context.Canceled) {
			t.Errorf("after its end: %v, child %v", l.Err(), child.Err())
		}

		caller, cancel = context.WithCancel(context.Background())
		l = newLimit(caller, time.Second)
		cancel()
		if !errors.Is(l.Err(), context.Canceled) {
			t.Errorf("after the caller's: %v", l.Err())
		}
		<-l.Done()
		l.end()
	})
}
