//go:build !js

package save

import (
	"compress/flate"
	"io"
)

// newDeflater returns what packs a body on its way to w.
func newDeflater(w io.Writer) io.WriteCloser {
	// The fastest level leaves recordings a twentieth larger than the usual one.
	d, err := flate.NewWriter(w, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is one of flate's own
	}
	return d
}
