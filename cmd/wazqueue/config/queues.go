package config

import "time"

// The longest delay and lease that wrangler's schema has, in seconds and
// milliseconds.
const (
	maxDelay      = 86_400
	maxVisibility = 43_200_000
)

func (c *Config) readQueues(n node) {
	n.object(fields{
		"producers": func(n node) { n.each(c.readProducer) },
		"consumers": func(n node) { n.each(c.readConsumer) },
	})
}

func (c *Config) readProducer(n node) {
	var p Producer
	p.At = n.object(fields{
		"binding": func(n node) { n.word(&p.Binding) },
		"queue":   func(n node) { n.word(&p.Queue) },
		"remote":  refuseRemote,
		"delivery_delay": func(n node) {
			optional(&p.DeliveryDelay, func(d *time.Duration) bool { return n.seconds(d, 0, maxDelay) })
		},
	}, "binding", "queue")
	for _, other := range c.Producers {
		if other.Binding == p.Binding && p.Binding != "" {
			n.src.refuse(p.At["binding"], "%q is bound already in line %d", p.Binding, other.At["binding"].Line)
		}
	}
	c.Producers = append(c.Producers, p)
}

func refuseRemote(n node) {
	if _, yes := n.literal('t'); yes {
		n.refuse("must be false: there is no remote queue here, programs use the store of this process")
	} else if _, no := n.literal('f'); !no {
		n.must("true or false")
	}
}

func (c *Config) readConsumer(n node) {
	var k Consumer
	k.At = n.object(fields{
		"queue":          func(n node) { n.word(&k.Queue) },
		"type":           refusePull,
		"max_batch_size": func(n node) { n.whole(&k.MaxBatchSize, 1, 100) },
		"max_batch_timeout": func(n node) {
			optional(&k.MaxBatchTimeout, func(d *time.Duration) bool { return n.seconds(d, 0, 60) })
		},
		"max_retries": func(n node) {
			optional(&k.MaxRetries, func(i *int) bool { return n.whole(i, 0, 100) })
		},
		"retry_delay":       func(n node) { n.seconds(&k.RetryDelay, 0, maxDelay) },
		"dead_letter_queue": func(n node) { n.word(&k.DeadLetter) },
		"max_concurrency": func(n node) {
			if !n.isNull() {
				n.whole(&k.MaxConcurrency, 1, 250)
			}
		},
		"visibility_timeout_ms": func(n node) {
			var ms int
			n.whole(&ms, 100, maxVisibility)
			k.Lease = time.Duration(ms) * time.Millisecond
		},
	}, "queue")
	c.Consumers = append(c.Consumers, k)
}

func refusePull(n node) {
	if s, ok := n.text(); ok && s != "worker" {
		n.refuse(`must be "worker", is %q: wazqueue hands batches to the program, nobody pulls them`, shorten(s))
	}
}
