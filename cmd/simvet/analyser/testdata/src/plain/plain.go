// Package plain declares nothing, so nothing is reported.
package plain

import "math"

func free(a, b, c float64) float64 { return math.Sin(a*b + c) }
