//go:build js

package main

import (
	"bytes"
	"testing"

	"reprise/sim"
	"reprise/timeline"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

// largest returns a file with one checkpoint and as many ticks as an import may
// hold; each has an empty input, which the game refuses, the events given and a
// made-up hash.
func largest(t *testing.T, p *page, events []sim.Event) []byte {
	t.Helper()
	w := p.game.New(3)
	state := w.AppendState(nil)
	perTick := 24
	for _, e := range events {
		perTick += 16 + len(e.Payload)
	}
	ticks := (timeline.MaxImport - 88 - 24 - 2*len(state)) / perTick
	rec, err := timeline.NewRecorder(p.game.Info(3), timeline.Limits{
		Ticks: ticks, Events: ticks * len(events), Checkpoints: 2, Payload: timeline.MaxImport, Interval: 1 << 30,
	}, state, w.Hash())
	if err != nil {
		t.Fatal(err)
	}
	for k := range ticks {
		if err := rec.Push(timeline.Row{Events: events, Hash: uint64(k)}); err != nil {
			t.Fatal(k, err)
		}
	}
	clip, err := rec.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	return clip.Encode()
}

// The largest file an import takes, all of it ticks that the game refuses, is
// taken, and every command on it is refused or comes to rest at its first tick.
func TestLargestImports(t *testing.T) {
	mark := []sim.Event{{Kind: 3}}
	for _, tt := range []struct {
		name   string
		events []sim.Event
	}{{"empty ticks", nil}, {"an event a tick", mark}} {
		t.Run(tt.name, func(t *testing.T) {
			p := newPage()
			file := largest(t, p, tt.events)
			p.send(msg.Import{Name: "big", Bytes: file})
			l := last[msg.Loaded](t, p)
			if int(l.Size) != len(file) || int(l.Events) != len(tt.events)*int(l.Ticks) || len(l.Markers) != 8*int(l.Events) {
				t.Fatalf("of %d bytes: %d ticks, %d events, markers of %d bytes", l.Size, l.Ticks, l.Events, len(l.Markers))
			}
			p.send(msg.Start{Seed: "0000000000000001"})
			p.send(msg.Ghost{On: true})
			p.run(10)
			p.send(msg.Replay{})
			for _, m := range []msg.ToEngine{
				msg.Hashes{}, msg.Marker{Direction: 1}, msg.Marker{Direction: -1}, msg.SeekTo{Tick: 1 << 31}, msg.Clip{From: 5, To: 300_000},
			} {
				p.send(m)
				p.run(3)
				if s := p.status(); s.Tick != 0 || s.Mode != 1 {
					t.Errorf("%T: at tick %d in mode %d", m, s.Tick, s.Mode)
				}
			}
			p.send(msg.TakeOver{})
			refused := map[string]bool{}
			for _, m := range p.got {
				if r, is := m.(msg.Refused); is {
					refused[r.Command] = true
				}
			}
			for _, command := range []string{"ghost", "hashes", "clip", "takeOver"} {
				if !refused[command] {
					t.Errorf("%s is not refused", command)
				}
			}
			p.send(msg.Export{})
			if e := last[msg.Exported](t, p); !bytes.Equal(e.Bytes, file) {
				t.Errorf("the export of it is another file, of %d bytes", len(e.Bytes))
			}
		})
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
