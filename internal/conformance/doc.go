// Package conformance holds no code, only the tests that need several of the
// project's packages at once: the interface's conformance table and every other
// promise of it, each through a compiled guest, on the embedded backends.
package conformance
