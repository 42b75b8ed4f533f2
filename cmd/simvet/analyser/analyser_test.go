package analyser_test

import (
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"reprise/cmd/simvet/analyser"
)

func TestAnalyzer(t *testing.T) {
	analysistest.Run(t, analysistest.TestData(), analyser.Analyzer, "game", "plain")
}
