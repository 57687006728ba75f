package main

const about = `Message queues for WebAssembly programs.

A program is described by a JSONC file, whose queues keys are those of wrangler. Run it with
'wazqueue run -c app.jsonc'; 'wazqueue run --help' shows such a file.`

// Help is shown by wazqueue run --help. Indented lines are printed as they are.
func (runCommand) Help() string {
	return `A file describes one program. This one answers HTTP, may send to the queue
page-render as PAGE_QUEUE, and is handed that queue's messages in batches:

    {
      "name": "page-service",
      "main": "app.wasm",                      // or app.js; relative to this file
      "queues": {
        "producers": [{ "binding": "PAGE_QUEUE", "queue": "page-render" }],
        "consumers": [{ "queue": "page-render", "max_batch_size": 10, "max_batch_timeout": 5,
                        "max_retries": 3, "dead_letter_queue": "page-dlq" }]
      },
      "wazqueue": { "store": "sqlite:.wazqueue/queues.db" }
    }

More of the queues keys: a producer's delivery_delay (seconds); a consumer's
retry_delay (seconds), max_concurrency (1 to 250, or null) and
visibility_timeout_ms. More of ours:

    "wazqueue": {
      "store": "memory:",                      // or sqlite:PATH, which survives a restart
      "permissions": { "QUEUE": ["PAGE_QUEUE"] },  // without it: every producer
      "limits": { "event_seconds": 900, "memory_mib": 128, "output_bytes": 1048576,
                  "instances": 250, "grace_seconds": 10 },
      "instance": "auto",                      // each event's: new, rewind, or auto
      "env": { "NAME": "value" }               // the program's environment
    }

Every event has an instance that no earlier event has touched. By default it is
one that was put back to its initial state where that cannot be told from a new
one, and a new one otherwise; wazqueue check says which and why. With "rewind" a
program whose initialisation asked for randomness, such as any in Go, runs some
ten times faster, and what it asked for is the same in every event.

Several files run in one process and share one store: the first one's program
answers HTTP, the others only handle their queues.

    wazqueue run -c app.jsonc
    wazqueue run -c web.jsonc -c worker.jsonc --store sqlite:/var/lib/app/queues.db
    wazqueue run -c app.jsonc --store memory: --listen 127.0.0.1:0 --log-format json

Ctrl-C or SIGTERM stops it: no new work is taken, what runs may finish within
grace_seconds. A second signal stops it at once.

Exit codes: 0 stopped by a signal, 1 a failure while running, 2 wrong usage or
configuration. The log goes to stderr, what programs print to stdout and stderr.`
}

// Help is shown by wazqueue check --help.
func (checkCommand) Help() string {
	return `Give it a program, or a configuration file to check that and its
program with its limits and consumers. Nothing is run but the program's
initialisation, and no store is opened.

    wazqueue check app.wasm
    wazqueue check app.js
    wazqueue check app.jsonc worker.jsonc

Exit codes: 0 it would run, 2 it would be refused, and the reasons are said.`
}
