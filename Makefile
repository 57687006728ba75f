# Everything there is to do with the project. `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

STATICCHECK := honnef.co/go/tools/cmd/staticcheck@v0.8.2
TESTFLAGS   ?=
FUZZTIME    ?= 30s
DEMO        := guest-examples/go
LISTEN      ?= 127.0.0.1:8787
STORE       ?=

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | sort | expand -t 12

.PHONY: run
run: ## build the Go sample guest and serve it, with its queue in an SQLite file
	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -ldflags='-s -w' -o $(DEMO)/build/page.wasm ./$(DEMO)
	go run ./cmd/wazqueue run -c $(DEMO)/wazqueue.jsonc --listen $(LISTEN) $(if $(STORE),--store $(STORE))

.PHONY: test
test: ## run every test; what needs Node or strace is skipped, and named, where there is none
	go test $(TESTFLAGS) ./...

.PHONY: race
race: ## run every test under the race detector (needs a C compiler)
	go test -race $(TESTFLAGS) ./...

.PHONY: fuzz
fuzz: ## run every fuzz target for FUZZTIME, and 200,000 texts against Node
	WAZQUEUE_DIFFERENTIAL=200000 go test -count=1 -run Differential ./validate
	@for pkg in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do \
	  for target in $$(grep -hoE '^func Fuzz[A-Za-z0-9]+' $$pkg/*_test.go | cut -c6-); do \
	    echo "$$pkg $$target"; go test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x $$pkg; \
	  done; done

.PHONY: bench
bench: ## run every benchmark, and the peers beside them
	go test -run '^$$' -bench . -benchmem ./...
	cd internal/peers && go test -run '^$$' -bench . -benchmem ./...

.PHONY: guests
guests: ## build the sample and probe guests into testdata/guests (needs clang, node; see guest-examples/build.sh --install)
	guest-examples/build.sh

.PHONY: check
check: ## format, vet, lint, tidy, generated files: leaves a clean tree
	@test -z "$$(gofmt -l . | tee /dev/stderr)" || { echo 'not formatted: run gofmt -w .'; exit 1; }
	go vet ./...
	go run $(STATICCHECK) ./...
	go mod tidy -diff
	cd internal/peers && go vet ./... && go mod tidy -diff
	guest-examples/build.sh --check
