# Reprise: record a game, replay it bit for bit.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.PHONY: help play test golden determinism prove bench site webkit clean \
	setup setup-browser check-go check-wasm check-bits check-types check-page

ADDR ?= 127.0.0.1:8080
OUT ?= build/site
BASE ?= /
BENCH ?= .

STEP := scripts/step.sh
# Where a fused product would show: the simulation, and what records it.
EXACT := $(wildcard sim journal timeline ghost games)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: setup ## set up, build and serve the games; ADDR=127.0.0.1:8080
	@go build -o build/devserver ./cmd/devserver
	@exec build/devserver -addr $(ADDR)

test: setup-browser ## set up and run every check
	@started=$$SECONDS; \
	$(MAKE) --no-print-directory check-go check-wasm check-bits check-types check-page && \
	echo "make test: all checks passed in $$((SECONDS - started)) s"

setup:
	@scripts/setup.sh

setup-browser:
	@scripts/setup.sh browser

check-go:
	@$(STEP) gofmt '' bash -c 'bad=$$(git ls-files -co --exclude-standard "*.go" | grep -v /testdata/ | xargs gofmt -l); [ -z "$$bad" ] || { echo "gofmt would change:"; echo "$$bad"; exit 1; }'
	@$(STEP) go-vet '' go vet ./...
	@go build -o build/simvet ./cmd/simvet
	@$(STEP) simvet '' go vet -vettool=build/simvet ./...
	@$(STEP) go-test '^ok' go test ./...
	@if scripts/has-v3.sh; then \
	  GOAMD64=v3 $(STEP) go-test-v3 '^ok' go test $(EXACT:%=./%/...); \
	else echo "go-test-v3: left out, this machine has no GOAMD64=v3"; fi
	@$(STEP) fuzz '^ok' scripts/fuzz.sh 2000
	@$(STEP) fusion '^ok' go test ./sim/detmath -run TestFusion -fusion

check-wasm:
	@GOOS=js GOARCH=wasm $(STEP) go-test-wasm '^ok' go test -exec "$(CURDIR)/scripts/wasm-exec.sh" $$(scripts/engine-packages.sh)

check-types:
	@$(STEP) tsc-page '' npx tsc --noEmit -p .
	@$(STEP) tsc-tests '' npx tsc --noEmit -p e2e

check-page:
	@CHROMIUM=$$(scripts/chromium.sh) $(STEP) playwright '^ *[0-9]+ (passed|failed|skipped)' npx playwright test

check-bits:
	@$(STEP) determinism '(skipped)|^determinism:' go run ./cmd/determinism -quick

golden: ## rewrite the golden data that tests compare with
	@for p in $$(git grep -l 'flag\.Bool("update"' -- '*_test.go' | xargs -n 1 dirname | sort -u); do \
	  go test -count=1 ./$$p -update; \
	done
	@go run ./cmd/determinism -update
	@git status --short -- '*testdata*'

determinism: setup ## a table of golden digests on every target this machine can run
	@go run ./cmd/determinism

prove: ## the exhaustive proofs and the mutation tests, which take long
	go test -count=1 -timeout 0 ./sim/detmath -v -run TestProve -prove
	go test -count=1 -timeout 0 ./sim/detmath -v -run TestMutations -mutate

bench: ## benchmarks; BENCH=pattern
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

site: setup ## write a static site; OUT=build/site BASE=/
	@go run ./cmd/devserver -out $(OUT) -base $(BASE)

webkit: ## check the page in WebKitGTK, on a screen of its own
	@scripts/setup.sh webkit
	@xvfb-run -a -s "-screen 0 1280x800x24 +extension GLX" node e2e/webkit.mjs

clean: ## remove what was built (not node_modules)
	rm -rf build test-results playwright-report
