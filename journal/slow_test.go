package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"math/big"
)

// This file is a second, slow and obvious reading of the format text. It shares
// nothing with the package but the Field codes.

// A slowRow is one input and how many ticks in a row it lasts.
type slowRow struct {
	values []int64
	ticks  uint64
}

func slowHash(parts ...[]byte) uint64 {
	h := fnv.New64a()
	for _, p := range parts {
		h.Write(p)
	}
	return h.Sum64()
}

func slowVarint(v *big.Int) []byte {
	var b []byte
	low := big.NewInt(0x7f)
	for v = new(big.Int).Set(v); ; {
		group := byte(new(big.Int).And(v, low).Uint64())
		v.Rsh(v, 7)
		if v.Sign() == 0 {
			return append(b, group)
		}
		b = append(b, group|0x80)
	}
}

func slowZigzag(delta int64) *big.Int {
	d := big.NewInt(delta)
	if d.Sign() >= 0 {
		return d.Lsh(d, 1)
	}
	d.Neg(d).Lsh(d, 1)
	return d.Sub(d, big.NewInt(1))
}

// slowWrite writes the journal of rows, with digest(t) after t ticks.
func slowWrite(codes []Field, seed uint64, sim, stream, interval uint32, rows [][]int64, digest func(uint64) uint64) []byte {
	le := binary.LittleEndian
	var records, table []byte
	prev := make([]int64, len(codes))
	run := 0
	flush := func() {
		if run > 0 {
			records = append(records, slowVarint(big.NewInt(int64(run-1)*2))...)
			run = 0
		}
	}
	for t, row := range rows {
		mask := new(big.Int)
		var deltas []byte
		for i := range codes {
			if row[i] != prev[i] {
				mask.SetBit(mask, i, 1)
				if codes[i] != 0 {
					deltas = append(deltas, slowVarint(slowZigzag(row[i]-prev[i]))...)
				}
			}
		}
		if mask.Sign() == 0 {
			run++
		} else {
			flush()
			mask.Lsh(mask, 1).SetBit(mask, 0, 1)
			records = append(append(records, slowVarint(mask)...), deltas...)
		}
		prev = row
		if done := uint64(t) + 1; interval != 0 && done%uint64(interval) == 0 {
			flush()
			table = le.AppendUint64(table, done)
			table = le.AppendUint64(table, digest(done))
			table = le.AppendUint64(table, uint64(len(records)))
			prev = make([]int64, len(codes))
		}
	}
	flush()
	return slowFile(codes, seed, sim, stream, interval, uint64(len(rows)), records, table)
}

// slowFile puts a file together.
func slowFile(codes []Field, seed uint64, sim, stream, interval uint32, ticks uint64, records, table []byte) []byte {
	le := binary.LittleEndian
	raw := make([]byte, len(codes))
	for i, c := range codes {
		raw[i] = byte(c)
	}
	count := le.AppendUint16(nil, uint16(len(codes)))
	b := []byte("PFXJ\x01\x00")
	b = append(b, count...)
	b = le.AppendUint64(b, seed)
	b = le.AppendUint32(b, sim)
	b = le.AppendUint32(b, stream)
	b = le.AppendUint64(b, slowHash(count, raw))
	b = le.AppendUint64(b, ticks)
	b = le.AppendUint32(b, interval)
	b = le.AppendUint32(b, uint32(len(table)/24))
	b = le.AppendUint64(b, uint64(len(records)))
	b = append(append(append(b, raw...), records...), table...)
	return le.AppendUint64(b, slowHash(b))
}

var errSlow = errors.New("the slow reader refuses it")

// slowRead reads a whole journal, runs left unexpanded, or refuses it.
func slowRead(b []byte) (rows []slowRow, table [][3]uint64, err error) {
	le := binary.LittleEndian
	if len(b) < 64 || string(b[:6]) != "PFXJ\x01\x00" || slowHash(b[:len(b)-8]) != le.Uint64(b[len(b)-8:]) {
		return nil, nil, errSlow
	}
	fields := le.Uint16(b[6:])
	ticks, interval, count := le.Uint64(b[32:]), uint64(le.Uint32(b[40:])), uint64(le.Uint32(b[44:]))
	length := le.Uint64(b[48:])
	total := new(big.Int).SetUint64(length)
	total.Add(total, big.NewInt(56+int64(fields)+24*int64(count)+8))
	if fields < 1 || fields > 63 || total.Cmp(big.NewInt(int64(len(b)))) != 0 {
		return nil, nil, errSlow
	}
	codes := b[56:][:fields]
	records := b[56+int(fields):][:length]
	entries := b[56+int(fields)+int(length):][:24*count]
	if slowHash(b[6:8], codes) != le.Uint64(b[24:]) {
		return nil, nil, errSlow
	}
	if interval == 0 && count != 0 || interval != 0 && count != ticks/interval {
		return nil, nil, errSlow
	}
	for ; len(entries) > 0; entries = entries[24:] {
		table = append(table, [3]uint64{le.Uint64(entries), le.Uint64(entries[8:]), le.Uint64(entries[16:])})
	}
	for _, c := range codes {
		if c != 0 && (c < 0x40 || c == 0x7f || c >= 0xc0) {
			return nil, nil, errSlow
		}
	}
	rows, err = slowStream(codes, records, ticks, interval, table)
	return rows, table, err
}

// slowStream reads every record of a tick stream.
func slowStream(codes, records []byte, ticks, interval uint64, table [][3]uint64) (rows []slowRow, err error) {
	values := make([]int64, len(codes))
	done, at := uint64(0), 0
	read := func() (v uint64, ok bool) {
		n := 0
		v, n = binary.Uvarint(records[at:])
		if n <= 0 || !bytes.Equal(slowVarint(new(big.Int).SetUint64(v)), records[at:][:n]) {
			return 0, false
		}
		at += n
		return v, true
	}
	for done < ticks {
		stop := ticks
		if interval != 0 && interval <= ticks-done {
			stop = min(stop, (done/interval+1)*interval)
		}
		h, ok := read()
		if !ok {
			return nil, errSlow
		}
		if h%2 == 0 {
			n := h/2 + 1
			if n > stop-done {
				return nil, errSlow
			}
			rows = append(rows, slowRow{bytes64(values), n})
			done += n
		} else {
			if !slowChange(codes, values, h/2, read) {
				return nil, errSlow
			}
			rows = append(rows, slowRow{bytes64(values), 1})
			done++
		}
		if interval != 0 && done%interval == 0 {
			k := done/interval - 1
			if table[k][0] != done || table[k][2] != uint64(at) {
				return nil, errSlow
			}
			clear(values)
		}
	}
	if at != len(records) {
		return nil, errSlow
	}
	return rows, nil
}

func bytes64(v []int64) []int64 { return append([]int64(nil), v...) }

func slowChange(codes []byte, values []int64, mask uint64, read func() (uint64, bool)) bool {
	if mask == 0 {
		return false
	}
	for i := range 64 {
		if mask>>i&1 == 0 {
			continue
		}
		if i >= len(codes) {
			return false
		}
		if codes[i] == 0 {
			values[i] = 1 - values[i]
			continue
		}
		z, ok := read()
		if !ok || z == 0 {
			return false
		}
		delta := int64(z / 2)
		if z%2 == 1 {
			delta = -delta - 1
		}
		values[i] += delta
		bits := int(codes[i]&63) + 1
		lo, hi := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(bits))
		if codes[i] >= 0x80 {
			hi.Rsh(hi, 1)
			lo.Neg(hi)
		}
		if v := big.NewInt(values[i]); v.Cmp(lo) < 0 || v.Cmp(hi) >= 0 {
			return false
		}
	}
	return true
}
