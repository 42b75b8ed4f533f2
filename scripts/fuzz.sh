#!/usr/bin/env bash
# Runs the fuzz targets of the formats a fixed number of times each: fuzz.sh RUNS
# go test runs their seeds alone; this goes a little beyond, the same length on
# every machine. A longer hunt is `go test -fuzz TARGET ./PACKAGE`.
set -euo pipefail
cd "$(dirname "$0")/.."
runs=$1
for package in journal timeline save ghost; do
  for target in $(grep -ho 'func Fuzz[A-Za-z]*' "$package"/*_test.go | cut -d' ' -f2 | sort); do
    # Minimising what merely covers more would take most of the time.
    go test -run '^$' -fuzz "^$target\$" -fuzztime "${runs}x" -fuzzminimizetime 1x "./$package" | grep -v '^fuzz:'
  done
done
