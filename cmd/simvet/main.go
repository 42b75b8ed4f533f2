// Command simvet reports what would make a simulation's bits depend on its
// target, its run or the clock. It is a vet tool:
//
//	go build -o build/simvet ./cmd/simvet
//	go vet -vettool=build/simvet ./...
//
// It looks at packages that declare themselves simulations, by a comment line of
// its own anywhere in a file that is not a test:
//
//	//simvet:simulation
//
// See package analyser for the rules. docs/simvet.md shows each with its cure.
package main

import (
	"golang.org/x/tools/go/analysis/unitchecker"

	"reprise/cmd/simvet/analyser"
)

func main() { unitchecker.Main(analyser.Analyzer) }
