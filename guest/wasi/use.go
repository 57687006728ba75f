package wasi

// Use is a set of things of the world outside that a guest asked for, or did to
// it. An instance whose initialisation used nothing is like every other.
type Use uint8

// The things there are.
const (
	UsedArguments Use = 1 << iota
	UsedEnvironment
	UsedClock
	UsedRandomness
	UsedOutput
	UsedPolling
)

// Words lists what was used: "arguments", "clock" and so on.
func (u Use) Words() (words []string) {
	for i, word := range []string{"arguments", "environment", "clock", "randomness", "output", "polling"} {
		if u&(1<<i) != 0 {
			words = append(words, word)
		}
	}
	return words
}
