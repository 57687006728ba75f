package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/batch"
	"github.com/wazqueue/wazqueue/cmd/wazqueue/config"
	"github.com/wazqueue/wazqueue/consumer"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/hostfn"
)

// grants are the bindings a program may use. A permitted name without a
// producer has nothing to send to, and its use ends the event.
func grants(c *config.Config, store hostfn.Sender) hostfn.Grants {
	g := make(hostfn.Grants)
	for binding, queue := range c.Bindings() {
		if queue == "" {
			g[binding] = hostfn.Binding{}
			continue
		}
		g[binding] = hostfn.Binding{Queue: queue, Sender: store}
	}
	return g
}

// wire joins the programs to the store: the first one answers HTTP, and each
// has its consumers.
func wire(programs []program, store adapter.Adapter, log *slog.Logger) *service {
	var all []consumer.Config
	for _, p := range programs {
		all = append(all, consumers(p, store)...)
	}
	first := programs[0]
	limits := first.file.Limits
	web := &guest.Handler{Program: first.Program, Grants: grants(first.file, store), Instances: limits.Instances, Log: first.log}
	return newService(web, limits, all, log)
}

// consumers are the engine's, one for each configured.
func consumers(p program, store adapter.Adapter) []consumer.Config {
	var out []consumer.Config
	granted := grants(p.file, store)
	for _, k := range p.file.Consumers {
		log := p.log.With("queue", k.Queue)
		out = append(out, consumer.Config{
			Adapter: store,
			Queue:   k.Queue,
			Handler: func(ctx context.Context, b *batch.Batch) error {
				return p.Run(ctx, &hostfn.Event{Kind: hostfn.KindQueue, Grants: granted, Batch: b, Log: log})
			},
			MaxBatchSize:    k.MaxBatchSize,
			MaxBatchTimeout: k.MaxBatchTimeout,
			MaxRetries:      k.MaxRetries,
			RetryDelay:      k.RetryDelay,
			DeadLetter:      k.DeadLetter,
			MaxConcurrency:  k.MaxConcurrency,
			Lease:           k.Lease,
			Grace:           max(p.file.Limits.Grace, time.Nanosecond), // 0 would be the engine's default
			Alone:           hostfn.Unreadable,
			Log:             p.log,
		})
	}
	return out
}

// configure puts the files' delivery delays into the store. What a file does
// not say stays as it is there.
func configure(ctx context.Context, files []*config.Config, store adapter.Adapter) error {
	for _, c := range files {
		for _, p := range c.Producers {
			if p.DeliveryDelay == nil {
				continue
			}
			err := store.Configure(ctx, p.Queue, func(s *adapter.Settings) { s.DeliveryDelay = *p.DeliveryDelay })
			if err != nil {
				return fmt.Errorf("%s: %w", p.At["delivery_delay"], err)
			}
		}
	}
	return nil
}
