#!/usr/bin/env python3
"""Writes the golden files of package detmath with MPFR (python3-gmpy2).

    /usr/bin/python3 internal/golden/golden.py testdata

Each file holds records of little-endian words: the arguments' bits and the
correctly rounded result's, 64-bit words for float64 and 32-bit words for
float32 (names ending in f). Every NaN result is the canonical one. Arguments
come from a fixed SplitMix64 stream and from the lists below, so a second run
writes the same bytes.
"""
import struct
import sys

import gmpy2
from gmpy2 import mpfr, mpz

# Contexts that round as the two formats do, subnormal numbers included.
F64 = gmpy2.context(precision=53, emin=-1073, emax=1024, subnormalize=True)
F32 = gmpy2.context(precision=24, emin=-148, emax=128, subnormalize=True)
WIDE = gmpy2.context(precision=2600, emin=-20000, emax=20000)


class Stream:
    def __init__(self, seed):
        self.s = seed

    def bits(self, n):
        m = (1 << 64) - 1
        self.s = (self.s + 0x9E3779B97F4A7C15) & m
        z = self.s
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & m
        z = (z ^ z >> 27) * 0x94D049BB133111EB & m
        return (z ^ z >> 31) >> (64 - n)

    def unit(self):
        return self.bits(53) / (1 << 53)


class Kind:
    """A float format, its packing and a few of its numbers."""

    def __init__(self, ctx, code, word, exp, frac):
        self.ctx, self.code, self.word, self.exp, self.frac = ctx, code, word, exp, frac
        self.total = exp + frac + 1
        self.inf = ((1 << exp) - 1) << frac
        self.nan = self.inf | 1 << (frac - 1)

    def float(self, b):
        return struct.unpack("<" + self.code, struct.pack("<" + self.word, b))[0]

    def bits(self, x):
        x = float(x)
        if x != x:
            return self.nan
        return struct.unpack("<" + self.word, struct.pack("<" + self.code, x))[0]

    def near(self, x, spread=1):
        """Bits of the number nearest to x and of its neighbours."""
        with gmpy2.local_context(self.ctx):
            b = self.bits(mpfr(x))
        mag, sign = b & ~(1 << self.total - 1), b & 1 << self.total - 1
        return [sign | min(max(mag + d, 0), self.inf) for d in range(-spread, spread + 1)]

    def specials(self):
        one = self.bits(1.0)
        mags = [0, 1, 2, 3, (1 << self.frac) - 1, 1 << self.frac, (1 << self.frac) + 1, self.inf - 1, self.inf,
                self.nan, self.inf | 1, one - 1, one, one + 1]
        mags += [self.bits(v) for v in (0.5, 1.5, 2.0, 3.0, 4.0, 0.25, 1e-5, 1e10, 2.5, 1e38, 1e-38)]
        mags += [self.bits(float(1 << self.frac) + d) for d in (-1, 0, 1)]
        mags += [self.bits(float(2 << self.frac) - d) for d in (1, 2)]
        return mags + [m | 1 << self.total - 1 for m in mags]

    def random(self, r):
        return r.bits(self.total)

    def sized(self, r, lo, hi):
        """A number with a random exponent in [lo, hi) and a random sign."""
        e = lo + r.bits(32) * (hi - lo) // (1 << 32)
        bias = (1 << self.exp - 1) - 1
        return r.bits(1) << self.total - 1 | e + bias << self.frac | r.bits(self.frac)


K64 = Kind(F64, "d", "Q", 11, 52)
K32 = Kind(F32, "f", "I", 8, 23)


def convergents(alpha, limit):
    """Denominators below limit of the convergents of alpha."""
    q0, q1 = mpz(0), mpz(1)
    x = alpha
    out = []
    for _ in range(400):
        a = mpz(gmpy2.floor(x))
        if out or True:
            q0, q1 = q1, a * q1 + q0
        if q1 >= limit:
            break
        out.append(q1)
        frac = x - a
        if frac == 0:
            break
        x = 1 / frac
    return out


def reduction_cases(k):
    """For every exponent, the significands that come nearest to a multiple of
    pi/2 (denominators of convergents)."""
    out = []
    p = k.frac + 1
    with gmpy2.local_context(WIDE):
        for e in range(-p, (1 << k.exp - 1) - p + 1):
            alpha = mpfr(2) ** (e + 1) / gmpy2.const_pi()
            # 1/frac first, so that denominators belong to alpha modulo one.
            q0, q1 = mpz(1), mpz(0)
            x = alpha
            last = []
            for _ in range(300):
                a = mpz(gmpy2.floor(x))
                q0, q1 = q1, a * q1 + q0
                if q1 >= 1 << p:
                    break
                if q1 > 0:
                    last.append(q1)
                x = 1 / (x - a)
            for q in last[-1:]:
                out.append(k.bits(float(gmpy2.mul_2exp(mpfr(q), e) if e >= 0 else gmpy2.div_2exp(mpfr(q), -e))))
    return out


def trig_args(k, r):
    big = (1 << k.exp - 1) - 2
    with gmpy2.local_context(WIDE):
        halfpi = gmpy2.const_pi() / 2
        near = [halfpi * n for n in list(range(1, 40)) + [1000, 65535, 65536, 10**6]]
        near += [gmpy2.const_pi() / 256 * n for n in (1, 3, 5, 127, 129, 255, 257)]
    args = k.specials() + reduction_cases(k)
    for v in near:
        args += k.near(v)
    args += [k.sized(r, -k.frac // 2 - 4, 20) for _ in range(500)]
    args += [k.sized(r, 15, big) for _ in range(200)]
    args += [k.sized(r, -1 * big, big) for _ in range(100)]
    args += k.near(mpfr(2) ** -26, 3) + k.near(mpfr(2) ** -27, 3) + k.near(65536, 3)
    args += k.near(mpfr(2) ** mpfr(-26.5), 3) + k.near(mpfr(2) ** -12, 3)
    return args


def exp_args(k, r):
    top, low = (710, -746) if k is K64 else (89, -104)
    args = k.specials()
    with gmpy2.local_context(WIDE):
        emax = mpfr(k.ctx.emax)
        emin = mpfr(k.ctx.emin)
        ln2 = gmpy2.const_log2()
        edges = [emax * ln2, (emin - 1) * ln2, (emin - 2) * ln2, (emin + k.frac) * ln2]
        edges += [ln2 / 512 * n for n in (1, -1, 3, 511, 513)]
    for v in edges:
        args += k.near(v, 6)
    args += k.near(-708, 2) + k.near(mpfr(2) ** -54, 2) + k.near(-mpfr(2) ** -54, 2) + k.near(-mpfr(2) ** -53, 2)
    args += [k.bits(k.ctx and low + (top - low) * r.unit()) for _ in range(400)]
    args += [k.bits(low + 50 * r.unit()) for _ in range(200)]
    args += [k.sized(r, -k.frac - 4, 10) for _ in range(500)]
    return args


def log_args(k, r):
    args = k.specials()
    one = k.bits(1.0)
    args += [one + d for d in range(-20, 21)]
    args += [one + (1 << i) for i in range(k.frac)] + [one - (1 << i) for i in range(k.frac)]
    args += [b for v in (2**0.5, 0.5**0.5, 2.718281828459045) for b in k.near(v, 2)]
    args += [k.random(r) & ~(1 << k.total - 1) for _ in range(600)]
    args += [r.bits(k.frac) for _ in range(100)]
    args += [k.bits(0.9 + 0.2 * r.unit()) for _ in range(300)]
    args += [k.bits(100 * r.unit()) for _ in range(300)]
    return args


def pow_args(k, r):
    sp = k.specials()
    args = [(a, b) for a in sp for b in sp[::1]]
    p = k.frac + 1
    exact = []
    # Integer powers of p and p+1 significant bits, with exponents moved about.
    for n in range(2, 35):
        for _ in range(12):
            bits = (p + 1 + n - 1) // n
            m = r.bits(64) % (1 << bits) | 1
            if m < 3:
                continue
            while (m**n).bit_length() > p + 1:
                m -= 2
            if m < 3 or m.bit_length() > p:
                continue
            e = r.bits(3) - 4
            exact.append((mpfr(m) * mpfr(2) ** e, mpfr(n)))
            # Subnormal results that are ties or exact.
            v = (m**n).bit_length()
            for goal in (k.ctx.emin - 2, k.ctx.emin - 1, k.ctx.emin):
                exact.append((mpfr(m) * mpfr(2) ** (goal // n), mpfr(n)))
    # Perfect powers and fractional exponents.
    for g in range(1, 6):
        for _ in range(40):
            m = r.bits(64) % (1 << max(p // 2**g, 2)) | 1
            if m < 3 or (m ** (2**g)).bit_length() > p:
                m = 3
            if (m ** (2**g)).bit_length() > p:
                continue
            e = (r.bits(4) - 8) * 2**g
            for n in (1, 3, 5, 7, -1, -3):
                exact.append((mpfr(m) ** (2**g) * mpfr(2) ** e, mpfr(n) / 2**g))
    # Powers of two, with results at every edge.
    for e in range(-20, 21):
        if e == 0:
            continue
        for goal in (k.ctx.emin - 3, k.ctx.emin - 2, k.ctx.emin - 1, k.ctx.emin, k.ctx.emin + k.frac, 0, 5, k.ctx.emax - 1, k.ctx.emax):
            exact.append((mpfr(2) ** e, mpfr(goal) / e))
    with gmpy2.local_context(k.ctx):
        args += [(k.bits(x), k.bits(y)) for x, y in exact]
    # Results at the edges of the range.
    for _ in range(150):
        x = k.sized(r, -20, 20) & ~(1 << k.total - 1)
        with gmpy2.local_context(WIDE):
            l = gmpy2.log2(mpfr(k.float(x)))
            if l == 0:
                continue
            for goal in (k.ctx.emax, k.ctx.emin - 2, k.ctx.emin - 1, k.ctx.emin + k.frac):
                args += [(x, b) for b in k.near(goal / l)]
    # Bases near one with great exponents, and random ones.
    one = k.bits(1.0)
    for _ in range(200):
        d = r.bits(r.bits(4) + 1) + 1
        x = one + d if r.bits(1) else one - d
        args.append((x, k.sized(r, k.frac - 12, k.frac + 6)))
    args += [(k.bits(10 * r.unit()), k.bits(20 * r.unit() - 10)) for _ in range(500)]
    args += [(k.sized(r, -30, 30) & ~(1 << k.total - 1), k.sized(r, -12, 6)) for _ in range(500)]
    args += [(k.sized(r, -3, 3), k.bits(float(r.bits(6) - 32))) for _ in range(200)]
    args += [(k.random(r), k.random(r)) for _ in range(200)]
    args += [(r.bits(k.frac), k.sized(r, -4, 0)) for _ in range(100)]
    return args


def atan2_args(k, r):
    sp = k.specials()
    args = [(a, b) for a in sp for b in sp]
    big = (1 << k.exp - 1) - 2
    # Quotients that are exact, tiny and subnormal, or a tie.
    for _ in range(400):
        q = r.bits(r.bits(5) % (k.frac - 8) + 2) | 1
        d = r.bits(max(k.frac + 1 - q.bit_length(), 1)) | 1
        e = -(r.bits(12) % (big + k.frac))
        with gmpy2.local_context(k.ctx):
            args.append((k.bits(mpfr(q * d) * mpfr(2) ** e), k.bits(mpfr(d))))
            args.append((k.bits(mpfr(q * d) * mpfr(2) ** (e // 2)), k.bits(mpfr(d) * mpfr(2) ** (-(e // 2) // 2))))
    for _ in range(400):
        y = k.sized(r, -30, 30)
        x = k.sized(r, -30, 30)
        args += [(y, x)]
    for gap in range(-70, 71):
        for _ in range(6):
            e = r.bits(5) - 16
            args.append((k.sized(r, e, e + 1), k.sized(r, e + gap, e + gap + 1)))
    args += [(k.sized(r, -2, 2), k.sized(r, -2, 2)) for _ in range(400)]
    args += [(k.random(r), k.random(r)) for _ in range(300)]
    args += [(r.bits(k.frac), r.bits(k.frac)) for _ in range(100)]
    args += [(r.bits(k.frac), k.sized(r, -2, 30)) for _ in range(100)]
    args += [(k.sized(r, big - 20, big), k.sized(r, big - 20, big)) for _ in range(100)]
    return args


UNARY = {"sin": (gmpy2.sin, trig_args), "cos": (gmpy2.cos, trig_args), "exp": (gmpy2.exp, exp_args),
         "log": (gmpy2.log, log_args), "sqrt": (gmpy2.sqrt, log_args)}
BINARY = {"pow": (lambda x, y: x**y, pow_args), "atan2": (gmpy2.atan2, atan2_args)}


def write(path, k, records):
    with open(path, "wb") as f:
        for rec in records:
            f.write(b"".join(struct.pack("<" + k.word, w) for w in rec))


def main(folder):
    for k, suffix in ((K64, ""), (K32, "f")):
        for name, (f, args) in UNARY.items():
            out = []
            for b in dict.fromkeys(args(k, Stream(len(name) + k.total))):
                with gmpy2.local_context(k.ctx):
                    out.append((b, k.bits(f(mpfr(k.float(b))))))
            write(f"{folder}/{name}{suffix}.golden", k, out)
            print(name + suffix, len(out))
        for name, (f, args) in BINARY.items():
            out = []
            for a, b in dict.fromkeys(args(k, Stream(len(name) + k.total))):
                with gmpy2.local_context(k.ctx):
                    out.append((a, b, k.bits(f(mpfr(k.float(a)), mpfr(k.float(b))))))
            write(f"{folder}/{name}{suffix}.golden", k, out)
            print(name + suffix, len(out))


main(sys.argv[1])
