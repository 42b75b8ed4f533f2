package journal

import "testing"

const benchTicks = 90_000

// BenchmarkWrite writes the workload, checksum included; one operation is a run.
func BenchmarkWrite(b *testing.B) {
	s := workload(benchTicks)
	schema := mustSchema(b, s.fields...)
	digest := func() uint64 { return 0x9e3779b97f4a7c15 }
	size := 0
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(schema, 1, 1, s.interval)
		w.Reserve(3*benchTicks, benchTicks/600)
		for _, row := range s.rows {
			if err := w.Push(row, digest); err != nil {
				b.Fatal(err)
			}
		}
		size = len(w.Finish())
	}
	perTick(b, size)
}

// BenchmarkOpenRead opens the workload's journal, checksum included, and reads
// every tick.
func BenchmarkOpenRead(b *testing.B) {
	in := workload(benchTicks).write(b)
	b.ReportAllocs()
	for b.Loop() {
		j, err := Open(in)
		if err != nil {
			b.Fatal(err)
		}
		r := j.Reader()
		for range benchTicks {
			if _, err := r.Read(); err != nil {
				b.Fatal(err)
			}
		}
	}
	perTick(b, len(in))
}

func BenchmarkOpen(b *testing.B) {
	in := workload(benchTicks).write(b)
	for b.Loop() {
		if _, err := Open(in); err != nil {
			b.Fatal(err)
		}
	}
	perTick(b, len(in))
}

// BenchmarkRange reads by a range loop.
func BenchmarkRange(b *testing.B) {
	in := workload(benchTicks).write(b)
	j := mustOpen(b, in)
	for b.Loop() {
		for _, err := range j.Reader().All() {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	perTick(b, len(in))
}

// BenchmarkSnapshot copies a 25-minute run that grows by a second in between.
func BenchmarkSnapshot(b *testing.B) {
	s := workload(benchTicks)
	w := NewWriter(mustSchema(b, s.fields...), 1, 1, s.interval)
	w.Reserve(benchTicks*40, benchTicks/600*40)
	digest := func() uint64 { return 1 }
	next := 0
	push := func(n int) {
		for range n {
			if err := w.Push(s.rows[next], digest); err != nil {
				b.Fatal(err)
			}
			next = (next + 1) % len(s.rows)
		}
	}
	push(benchTicks)
	var u Unsealed
	w.Snapshot(&u)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if w.Ticks() > 10*benchTicks {
			w = NewWriter(mustSchema(b, s.fields...), 1, 1, s.interval)
			w.Reserve(benchTicks*40, benchTicks/600*40)
			push(benchTicks)
			w.Snapshot(&u)
		}
		push(60)
		b.StartTimer()
		w.Snapshot(&u)
	}
}

func BenchmarkSeal(b *testing.B) {
	s := workload(benchTicks)
	w := NewWriter(mustSchema(b, s.fields...), 1, 1, s.interval)
	for _, row := range s.rows {
		if err := w.Push(row, func() uint64 { return 1 }); err != nil {
			b.Fatal(err)
		}
	}
	var u Unsealed
	for b.Loop() {
		b.StopTimer()
		w.Snapshot(&u)
		b.StartTimer()
		u.Seal()
	}
}

// perTick reports the time of a tick and the size of one.
func perTick(b *testing.B, size int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchTicks, "ns/tick")
	b.ReportMetric(float64(size)/benchTicks, "B/tick")
}
