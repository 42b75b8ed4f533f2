//go:build js

package main

import (
	"testing"
	"time"

	"reprise/sim"
	"reprise/timeline"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

// big returns a file with one checkpoint and as many ticks, up to most, as an
// import may hold; each has the input and events given, and a made-up hash
// unless played is set.
func big(t *testing.T, p *page, most int, input []byte, events []sim.Event, played bool) []byte {
	t.Helper()
	info := p.game.Info(3)
	w := p.game.New(3)
	state := w.AppendState(nil)
	perTick := 24 + len(input)
	for _, e := range events {
		perTick += 16 + len(e.Payload)
	}
	ticks := min(most, (timeline.MaxImport-88-24-2*len(state))/perTick)
	rec, err := timeline.NewRecorder(info, timeline.Limits{
		Ticks: ticks, Events: ticks * len(events), Checkpoints: 2, Payload: timeline.MaxImport, Interval: 1 << 30,
	}, state, w.Hash())
	if err != nil {
		t.Fatal(err)
	}
	for k := range ticks {
		row := timeline.Row{Input: input, Events: events, Hash: uint64(k)}
		if played {
			if row.Events, err = w.Step(input); err != nil {
				t.Fatal(err)
			}
			row.Hash = w.Hash()
		}
		if err := rec.Push(row); err != nil {
			t.Fatal(k, err)
		}
	}
	clip, err := rec.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	return clip.Encode()
}

// took runs f, and fails the test where it takes longer than any slow machine
// needs for work that is bounded by the file's bytes.
func took(t *testing.T, what string, most time.Duration, f func()) {
	t.Helper()
	start := time.Now()
	f()
	d := time.Since(start)
	t.Logf("%-28s %v", what, d)
	if d > most {
		t.Errorf("%s took %v", what, d)
	}
}

// The largest file an import takes, all of it ticks that the game refuses, or
// events, is told about at once and played in bounded frames.
func TestLargestImports(t *testing.T) {
	mark := []sim.Event{{Kind: 3}}
	for _, tt := range []struct {
		name   string
		events []sim.Event
	}{{"empty ticks", nil}, {"an event a tick", mark}} {
		p := newPage()
		file := big(t, p, 1<<30, nil, tt.events, false)
		t.Logf("%s: %d bytes", tt.name, len(file))
		took(t, "import", 5*time.Second, func() { p.send(msg.Import{Name: "big", Bytes: file}) })
		l := last[msg.Loaded](t, p)
		t.Logf("%d ticks, markers %d bytes", l.Ticks, len(l.Markers))
		p.send(msg.Start{Seed: "0000000000000001"})
		took(t, "ghost", time.Second, func() { p.send(msg.Ghost{On: true}) })
		took(t, "10 live frames", 5*time.Second, func() { p.run(10) })
		took(t, "hashes", time.Second, func() { p.send(msg.Hashes{}) })
		took(t, "replay", time.Second, func() { p.send(msg.Replay{}) })
		took(t, "next marker", time.Second, func() { p.send(msg.Marker{Direction: 1}) })
		took(t, "previous marker", time.Second, func() { p.send(msg.Marker{Direction: -1}) })
		took(t, "to the end", time.Second, func() { p.send(msg.SeekTo{Tick: 1 << 31}) })
		took(t, "10 frames", 5*time.Second, func() { p.run(10) })
		took(t, "clip", 5*time.Second, func() { p.send(msg.Clip{From: 5, To: 300_000}) })
		took(t, "export", 5*time.Second, func() { p.send(msg.Export{}) })
		took(t, "take over", 5*time.Second, func() { p.send(msg.TakeOver{}) })
		p.run(3)
	}
}

// No message, whatever it is made of, ends the engine: each is refused.
func TestHostileMessages(t *testing.T) {
	var said []msg.FromEngine
	got := edge.Func(func(args []edge.Value) {
		kind, _ := args[0].Get("type")
		text, _ := kind.Text()
		switch text {
		case "refused":
			said = append(said, msg.Refused{})
		case "failed":
			said = append(said, msg.Failed{})
		default:
			said = append(said, nil)
		}
	})
	if err := edge.Global("globalThis").Set("repriseEmit", got); err != nil {
		t.Fatal(err)
	}
	running = newEngine(emit)
	defer func() { running = nil }()
	for _, body := range []string{
		"1n", "Symbol('m')", "null", "7", "'start'", "[]", "new Date()", "new Proxy({}, {get() { throw 1n }})",
		"({type: 1n})", "({type: 'start', seed: 1n})", "({type: 'start', seed: Symbol('s')})", "({type: 'start'})",
		"({get type() { throw new Error('x') }})", "({type: 'pause', on: 1n})", "({type: 'pause', on: new Boolean(true)})",
		"({type: 'seekTo', tick: 1n})", "({type: 'seekTo', tick: NaN})", "({type: 'seekTo', tick: -0.5})", "({type: 'seekTo', tick: 4294967296})",
		"({type: 'seekTo', tick: new Number(3)})", "({type: 'seekBy', ticks: -2147483649})", "({type: 'speed', rate: Infinity})",
		"({type: 'speed', rate: NaN})", "({type: 'loop', on: true, from: 1, to: {}})", "({type: 'import', name: 'x', bytes: {length: 4e9}})",
		"({type: 'import', name: 'x', bytes: new ArrayBuffer(17 << 20)})", "({type: 'import', name: 'x', bytes: {byteLength: 1e15, length: 1e9}})",
		"({type: 'import', name: 5, bytes: new ArrayBuffer(1)})", "({type: 'import', name: 'x', bytes: null})",
		"({type: '__proto__'})", "({type: 'constructor'})", "({type: ''})",
	} {
		v, err := edge.Global("Function").New("return " + body)
		if err != nil {
			t.Fatal(err)
		}
		if v, err = v.Invoke(); err != nil {
			t.Fatal(err)
		}
		n := len(said)
		receive(v)
		if len(said) != n+1 || said[n] != (msg.FromEngine)(msg.Refused{}) || running == nil {
			t.Fatalf("%s: the engine said %#v", body, said[n:])
		}
	}
	if status := frame(1. / 64); status != frameDone {
		t.Error("no frame after all that")
	}
}

// What a single step forward reports reaches the next frame, and nothing that
// was stepped over by a seek or left behind does.
func TestStepShowsItsEvents(t *testing.T) {
	p := newPage()
	file := recorded(t, p, 300)
	clip, err := timeline.Decode(file.Bytes, len(file.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	tick, ok := clip.NextEvent(0)
	if !ok {
		t.Fatal("nothing happened in 300 ticks")
	}
	to := func(tick uint64) {
		p.send(msg.Pause{On: true})
		p.send(msg.SeekTo{Tick: uint32(tick)})
		p.run(10)
		if s := p.status(); uint64(s.Tick) != tick || s.Events != 0 {
			t.Fatalf("at tick %d with %d events", s.Tick, s.Events)
		}
	}
	p.send(msg.Replay{})
	to(tick)
	p.send(msg.Step{Ticks: 1})
	p.run(1)
	if n := p.status().Events; int(n) != len(clip.Events(tick)) || uint64(p.screen.Block.Events[0].Tick) != tick {
		t.Errorf("%d events of %d, the first of tick %d", n, len(clip.Events(tick)), p.screen.Block.Events[0].Tick)
	}
	if p.run(1); p.status().Events != 0 {
		t.Error("the events are shown twice")
	}
	for _, leave := range []msg.ToEngine{
		msg.SeekTo{Tick: 5}, msg.Step{Ticks: -1}, msg.Live{}, msg.Import{Name: "x", Bytes: file.Bytes}, msg.TakeOver{}, msg.Start{Seed: "0000000000000001"},
	} {
		p.send(msg.Replay{})
		to(tick)
		p.send(msg.Step{Ticks: 1})
		p.send(leave)
		p.frame(0)
		if n := p.status().Events; n != 0 {
			t.Errorf("%T: %d events of what was left", leave, n)
		}
	}
}
