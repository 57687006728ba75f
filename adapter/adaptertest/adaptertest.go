// Package adaptertest is the conformance suite that every queue engine passes,
// and the benchmark all of them share. It knows the contract in package
// adapter and nothing of any engine.
package adaptertest

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
)

// Harness tells the suite how to reach the engine under test.
type Harness struct {
	// New makes a fresh, empty store and returns what opens adapters on it.
	// The suite opens one in each case, a second one beside it where the
	// engine is Shared, and another after closing the first where it is
	// Durable. An engine that is neither may give every adapter its own store.
	//
	// New and open run inside the case's synctest bubble where GoClock is set,
	// so what they start belongs to it. Both report failures with t.Fatal and
	// clean up with t.Cleanup; the suite closes the adapters, before that.
	New func(t *testing.T) (open func() adapter.Adapter)
	// GoClock says that the engine takes every time from Go's time package.
	// Its cases then run in synctest bubbles, where a tick is one second and
	// takes no time. Defaults to real time.
	GoClock bool
	// Tick is the unit of the timing cases in real time; the engine must be
	// able to tell moments apart that are a quarter of it apart. Defaults to
	// 200 ms.
	Tick time.Duration
}

// test is one case: a promise and what proves it.
type test struct {
	name string
	// needs says whether an engine of these capabilities makes the promise;
	// nil means that each does.
	needs func(adapter.Capabilities) bool
	run   func(*env)
	// realTime keeps the case out of the bubble.
	realTime bool
}

// groups are the cases by concern, each in the file of its name.
var groups = []struct {
	name  string
	tests []test
}{
	{"send", sendTests},
	{"delay", delayTests},
	{"receive", receiveTests},
	{"wait", waitTests},
	{"linger", lingerTests},
	{"lease", leaseTests},
	{"late", lateTests},
	{"settle", settleTests},
	{"lost", lostTests},
	{"chunk", chunkTests},
	{"move", moveTests},
	{"uncounted", uncountedTests},
	{"retention", retentionTests},
	{"pause", pauseTests},
	{"settings", settingsTests},
	{"control", controlTests},
	{"stats", statsTests},
	{"peek", peekTests},
	{"purge", purgeTests},
	{"names", nameTests},
	{"context", contextTests},
	{"close", closeTests},
	{"capabilities", capabilityTests},
	{"hammer", hammerTests},
}

// Run proves that the engine keeps the contract. The capabilities it claims
// choose the cases; what it claims and does not keep fails.
func Run(t *testing.T, h Harness) {
	t.Helper()
	if h.Tick <= 0 {
		h.Tick = 200 * time.Millisecond
	}
	for _, g := range groups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range g.tests {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					if h.GoClock && !c.realTime {
						synctest.Test(t, func(t *testing.T) { c.prove(newEnv(t, h, true)) })
						return
					}
					c.prove(newEnv(t, h, false))
				})
			}
		})
	}
}

func (c *test) prove(e *env) {
	if c.needs != nil && !c.needs(e.caps) {
		e.Log("not this engine's case: the engine does not promise this")
		return
	}
	c.run(e)
}

// What an engine must claim for a case to be its own.
func control(c adapter.Capabilities) bool { return c.Control }
func fenced(c adapter.Capabilities) bool  { return c.Fenced }
func late(c adapter.Capabilities) bool    { return c.LateSettle }
func shared(c adapter.Capabilities) bool  { return c.Shared }
func durable(c adapter.Capabilities) bool { return c.Durable }
