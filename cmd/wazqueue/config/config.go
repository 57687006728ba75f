// Package config reads the files that describe programs to wazqueue: JSONC
// with the keys that wrangler users already have, and the project's own under
// wazqueue. Everything wrong in a file is reported at once, each problem with
// its file, line and key. It opens no store, compiles no program, and imports
// nothing else of this project.
package config

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Config is one file: a program, its queues and its limits.
type Config struct {
	// File is the path the file was loaded from.
	File string
	// Name is the program's name in the log. Defaults to the file's name
	// without its extension.
	Name string
	// Main is the path of the program, compiled or a script. Relative to the file when
	// written, relative to the working directory here.
	Main string

	Producers []Producer
	Consumers []Consumer

	// Store is the URL of the message store, its path made relative to the
	// working directory like Main's. Empty where the file names none.
	Store string
	// Permitted are the bindings the guest may use, nil where the file has no
	// permissions for queues: then it may use every producer.
	Permitted []Permission
	Limits    Limits
	// Instance is auto, new or rewind: where events' instances come from. Empty
	// stands for auto.
	Instance string
	// Env is the guest's environment.
	Env map[string]string

	// At is where the file's own keys stand: name, main and so on, and below
	// wazqueue with its name in front, such as wazqueue.store.
	At Places
}

// Producer is a binding a guest can send to (B-2).
type Producer struct {
	Binding string
	Queue   string
	// DeliveryDelay is what messages without a delay of their own get. Nil:
	// the file says nothing about it, and the queue keeps what it has.
	DeliveryDelay *time.Duration
	At            Places
}

// Consumer is a queue whose messages the program handles (B-3). Zero values
// stand for the engine's defaults.
type Consumer struct {
	Queue           string
	MaxBatchSize    int            // 1 to 100. Defaults to 10 (B-4).
	MaxBatchTimeout *time.Duration // 0 to 60 s. Defaults to 5 s (B-5).
	MaxRetries      *int           // 0 to 100. Defaults to 3 (B-6).
	RetryDelay      time.Duration  // Defaults to 0 (B-7).
	DeadLetter      string         // Defaults to none: exhausted messages are deleted.
	MaxConcurrency  int            // 1 to 250. Defaults to what the processors bear.
	Lease           time.Duration  // visibility_timeout_ms (B-8). Defaults to 30 s.
	At              Places
}

// Permission is a binding's name in wazqueue.permissions.QUEUE.
type Permission struct {
	Binding string
	At      Position
}

// Limits bound the program and the process. Load fills in the defaults.
type Limits struct {
	Event       time.Duration // Defaults to 15 minutes.
	MemoryMiB   int           // Defaults to 128.
	OutputBytes int           // Defaults to 1 MiB.
	Instances   int           // Of HTTP events at once. Defaults to 250.
	Grace       time.Duration // Defaults to 10 s.
}

func defaultLimits() Limits {
	return Limits{Event: 15 * time.Minute, MemoryMiB: 128, OutputBytes: 1 << 20, Instances: 250, Grace: 10 * time.Second}
}

// Load reads the file at path. The error joins one *Problem for each thing
// that is wrong, by line.
func Load(path string) (*Config, []Warning, error) {
	src := &source{file: path}
	root, ok := src.parse()
	if !ok {
		return nil, nil, src.err()
	}
	c := &Config{File: path, Name: baseName(path), Limits: defaultLimits(), At: Places{}}
	c.readRoot(root)
	src.problems = append(src.problems, conflicts(c)...)
	slices.SortStableFunc(src.problems, func(a, b *Problem) int { return cmp.Compare(a.At.Line, b.At.Line) })
	if err := src.err(); err != nil {
		return nil, src.warnings, err
	}
	return c, src.warnings, nil
}

func baseName(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Bindings are the names the guest may use, each with its queue. A permitted
// name that no producer has, has the empty queue.
func (c *Config) Bindings() map[string]string {
	queues := make(map[string]string)
	for _, p := range c.Producers {
		queues[p.Binding] = p.Queue
	}
	if c.Permitted == nil {
		return queues
	}
	granted := make(map[string]string)
	for _, p := range c.Permitted {
		granted[p.Binding] = queues[p.Binding]
	}
	return granted
}
