package journal

import (
	"bytes"
	"compress/flate"
	"testing"
)

func deflated(t testing.TB, b []byte) int {
	t.Helper()
	var buf bytes.Buffer
	w, err := flate.NewWriter(&buf, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Len()
}

// repack packs and unpacks b, and compares.
func repack(t testing.TB, b []byte) []byte {
	t.Helper()
	p, err := Pack(b)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Unpack(p)
	if err != nil {
		t.Fatalf("%v; %d bytes packed", err, len(p))
	}
	if !bytes.Equal(back, b) {
		t.Fatalf("unpacked\n%.400x, want\n%.400x", back, b)
	}
	return p
}

func TestPackRandom(t *testing.T) {
	for seed := range uint64(400) {
		s := randomScript(random(seed))
		repack(t, s.write(t))
	}
	for _, b := range smallFiles(t) {
		repack(t, b)
	}
}

func TestPackSizes(t *testing.T) {
	for _, s := range append(append(append([]script{workload(benchTicks)}, played(20000)...), rested(20000)...), append(noises(5000), append(append(rested(100), rested(1)...), noises(10)...)...)...) {
		b := s.write(t)
		p := repack(t, b)
		d := deflated(t, b)
		t.Logf("%-24s %7d deflate %7d packed %7d %.3f B/tick %.3f", s.name, len(b), d, len(p), float64(len(p))/float64(len(s.rows)), float64(len(p))/float64(d))
	}
}

func BenchmarkPack(b *testing.B) {
	in := workload(benchTicks).write(b)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		p, err := Pack(in)
		if err != nil {
			b.Fatal(err)
		}
		size = len(p)
	}
	perTick(b, size)
}

func BenchmarkUnpack(b *testing.B) {
	in := workload(benchTicks).write(b)
	p, err := Pack(in)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Unpack(p); err != nil {
			b.Fatal(err)
		}
	}
	perTick(b, len(p))
}
