// Package peers measures wazqueue's engines beside other queues on the same
// store, in one run, so that the machine's noise meets both. It is a module of
// its own, because nobody who uses wazqueue needs what it depends on.
package peers
