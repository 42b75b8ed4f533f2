// Package game holds every case simvet knows, right and wrong.
//
//simvet:simulation
package game

import (
	"fmt"
	"maps"
	"math"
	"math/rand" // want `does not import math/rand: draw from a generator`
	"strconv"
	"sync" // want `does not import sync: step on one goroutine`
	"time"
	"unsafe" // want `does not import unsafe: encode`
)

type vec struct{ x, y float64 }

func products(a, b, c float64, f float32) float64 {
	const k = 2.0 * 3.0 // constants are exact
	_ = a*b + c         // want `product a \* b may be fused into this sum: write float64\(a \* b\)`
	_ = c - a*b         // want `may be fused into this sum`
	_ = c - (-(a * b))  // want `may be fused into this sum`
	_ = f*f + 1         // want `write float32\(f \* f\)`
	c += a * b          // want `may be fused into this sum`
	d := a * b          // want `may be fused with a sum where it is used`
	c *= b              // want `product left in c`
	v := vec{a * b, 0}  // want `may be fused with a sum`
	take(a * b)         // want `may be fused with a sum`
	_ = float64(a*b) + c
	_ = float64(a*b*k) - float64(d*v.x)
	_ = math.Sqrt(float64(a*a) + float64(b*b))
	_ = a*b/c + 1 // a quotient is rounded by itself
	if a*b < c {
		return 0
	}
	i, j := 3, 4
	i += i*j + 1 // integers are exact
	//simvet:allow times a power of two is exact
	_ = a*2 + c
	return a * b // want `may be fused with a sum`
}

func take(float64) {}

func library(x float64) {
	_ = math.Sin(x) // want `math.Sin gives other bits`
	_ = math.Pow    // want `math.Pow gives other bits`
	_ = math.Floor(x) + math.Abs(x) + math.Pi
	_ = rand.Int()
	_ = time.Now() // want `reads no clock \(time.Now\): count ticks`
	_ = 3 * time.Second
	var m sync.Mutex
	m.Lock()
	_ = unsafe.Sizeof(x)
}

func order(m map[int]int) {
	for range m { // want `a map's order differs`
	}
	for range maps.Keys(m) { // want `maps.Keys yields in an order`
	}
	_ = m[1]
	for range []int{1} {
	}
}

func threads() {
	go order(nil)       // want `starts no goroutine`
	c := make(chan int) // want `uses no channel`
	c <- 1              // want `uses no channel`
	<-c                 // want `uses no channel`
	select {            // want `select picks by chance`
	default:
	}
}

func conversions(x, y, z float64, i int) int {
	_ = int(x)               // want `a float outside int's range`
	_ = uint8(math.Floor(x)) // want `a float outside uint8's range`
	_ = int(3.0)
	_ = float64(i)
	_ = int(min(max(x, 0), 100))
	_ = int(math.Floor(max(min(x, 9), -9)))
	if x >= 0 && x < 10 {
		_ = int(x)
		_ = int(y) // want `a float outside int's range`
	}
	if y < 0 || y > 5 {
		return 0
	}
	if x < 0 {
		_ = int(x) // want `a float outside int's range`
	}
	w := min(max(x, 0), 1)
	_ = int(w)
	if math.Abs(z) < 100 {
		_ = int(z)
	}
	return int(math.Floor(y))
}

func text(x float64, b []byte) {
	_ = strconv.FormatFloat(x, 'g', -1, 64) // want `state is no text of a float`
	_ = fmt.Sprint(x)                       // want `state is no text of a float`
	_ = fmt.Sprint(1)
}
