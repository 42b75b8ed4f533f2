package journal

import (
	"math/bits"
	"sync"
)

// A coder is the binary range coder of the packed form. Both directions run the
// same code, so that a model written once serves both: bit takes what to encode
// and returns it, or returns what it decoded.
type coder struct {
	decoding bool
	width    uint32 // of the current interval; at least 2^24 between bits

	// Decoding: in[pos:] is unread, value is the code within the interval.
	in    []byte
	pos   int
	value uint32
	over  bool // read behind the end of in

	// Encoding: low is the interval's lower end with a carry in bit 32. Of the
	// bytes not in out yet the first is held, the others are 0xff.
	out     []byte
	low     uint64
	held    byte
	waiting int // bytes not in out yet; 0 before the first one
}

const (
	widthFloor = 1 << 24
	codeLen    = 4 // bytes of the code that the interval spans
)

func newEncoder(dst []byte) coder { return coder{width: ^uint32(0), out: dst} }

func newDecoder(in []byte) coder {
	c := coder{decoding: true, width: ^uint32(0), in: in}
	for range codeLen {
		c.value = c.value<<8 | uint32(c.next())
	}
	return c
}

func (c *coder) next() byte {
	if c.pos >= len(c.in) {
		c.over = true
		return 0
	}
	c.pos++
	return c.in[c.pos-1]
}

// bit codes b, which is 1 with a probability of p / 65536, p from 1 to 65535.
// Nothing in it branches on b, which is as good as random to the processor.
func (c *coder) bit(p uint32, b int) int {
	part := c.width >> 16 * p
	if c.decoding {
		b = 0
		if c.value < part {
			b = 1
		}
	}
	// A 1 keeps the lower part of the interval, a 0 what lies above it. The value
	// means nothing in encoding, the lower end nothing in decoding.
	zero := uint32(b) - 1
	c.width = part ^ (part^(c.width-part))&zero
	c.value -= part & zero
	c.low += uint64(part & zero)
	if c.width < widthFloor {
		c.refill()
	}
	return b
}

// refill moves whole bytes until the interval is wide enough.
//
//go:noinline
func (c *coder) refill() {
	for c.width < widthFloor {
		c.width <<= 8
		if c.decoding {
			c.value = c.value<<8 | uint32(c.next())
		} else {
			c.shift()
		}
	}
}

// shift moves the top byte of low out. A byte is held back while a carry may
// still come.
func (c *coder) shift() {
	top := byte(c.low >> 24)
	if carry := byte(c.low >> 32); carry != 0 || top != 0xff || c.waiting == 0 {
		fill := c.held + carry
		for ; c.waiting > 0; c.waiting-- {
			c.out = append(c.out, fill)
			fill = 0xff + carry
		}
		c.held = top
	}
	c.waiting++
	c.low = c.low << 8 & 0xffffffff
}

// finish ends encoding with exactly the lower end of the interval and returns the
// output.
func (c *coder) finish() []byte {
	for range codeLen + 1 {
		c.shift()
	}
	return c.out
}

// ended reports whether decoding used up its input and that input is the one
// that encoding the same bits gives.
func (c *coder) ended() bool { return !c.over && c.pos == len(c.in) && c.value == 0 }

// A quick counter learns the probability of a 1 by the last few bits: 16 bits,
// one half less, modulo 1. The zero value knows nothing.
type quick uint16

const half16 = 1 << 15

// A counter learns the probability of a 1 by all bits it has seen: in the top 22
// bits the probability minus one half, modulo 1, in the low 10 how many bits it
// has seen. A bit moves it by less the more there were. The zero value knows
// nothing.
type counter uint32

const (
	half32   = 1 << 31
	seenMask = 1<<10 - 1
)

// rates[n] is 1 / (n + 3/2) in 16 bits, how far bit n moves a counter.
var rates = func() (r [1024]uint16) {
	for n := range r {
		r[n] = uint16(131072 / (2*n + 3))
	}
	return r
}()

// clampP keeps a 16-bit probability away from certainty.
func clampP(p int64) uint32 { return uint32(min(max(p, 32), 65536-32)) }

const (
	domain  = 2048               // log odds reach from -domain to domain - 1, in 1/256
	expStep = 0xff007fd55ffdde39 // e^(-1/256) in 64 bits
)

// A curve holds the logistic function and its inverse.
type curve struct {
	squash  [2 * domain]uint16 // 16-bit probability of log odds x at x + domain
	stretch [4096]int16        // log odds of a 12-bit probability
}

// curves builds the tables from integers alone: e^(-k/256) is a product of k
// 64-bit fractions, each product rounded down.
var curves = sync.OnceValue(func() *curve {
	c := new(curve)
	e := ^uint64(0) // e^(-k/256) as a 64-bit fraction
	for k := range domain + 1 {
		one := uint64(1) << 32
		p := uint16(clampP(int64(one << 16 / (one + e>>32))))
		if k < domain {
			c.squash[domain+k] = p
		}
		if k > 0 {
			c.squash[domain-k] = uint16(65536 - uint32(p))
		}
		e, _ = bits.Mul64(e, expStep)
	}
	x := 0
	for p := range c.stretch {
		for x < 2*domain-1 && int(c.squash[x]) < p<<4+8 {
			x++
		}
		c.stretch[p] = int16(x - domain)
	}
	return c
})
