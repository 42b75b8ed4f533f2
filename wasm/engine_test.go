//go:build js

package main

import (
	"encoding/binary"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"reprise/games"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

// A page is what the tests see of an engine: its messages, newest last.
type page struct {
	*engine
	got []msg.FromEngine
}

func newPage() *page {
	p := &page{}
	p.engine = newEngine(func(m msg.FromEngine) { p.got = append(p.got, m) })
	return p
}

func (p *page) send(m msg.ToEngine) { p.command(m) }

// frames lets n ticks' time pass, one a frame.
func (p *page) run(n int) {
	for range n {
		p.frame(time.Second / 64)
	}
}

func (p *page) status() games.Status { return p.screen.Block.Status }

// last returns the newest message of type M.
func last[M msg.FromEngine](t *testing.T, p *page) M {
	t.Helper()
	for i := len(p.got) - 1; i >= 0; i-- {
		if m, ok := p.got[i].(M); ok {
			return m
		}
	}
	var none M
	t.Fatalf("no %T among %d messages", none, len(p.got))
	return none
}

func count[M msg.FromEngine](p *page) (n int) {
	for _, m := range p.got {
		if _, ok := m.(M); ok {
			n++
		}
	}
	return n
}

func has(p *page, flags uint32) bool { return p.screen.Block.Status.Flags&flags == flags }

// recorded plays and records, and returns the exported file.
func recorded(t *testing.T, p *page, ticks int) msg.Exported {
	t.Helper()
	p.send(msg.Start{Seed: "00000000000000ab"})
	p.send(msg.Record{})
	p.screen.Input = games.StrikeInput{Forward: 127, Buttons: games.ButtonFire}
	p.run(ticks)
	if !has(p, games.FlagRecording|games.FlagStarted) {
		t.Fatalf("flags %b while recording", p.status().Flags)
	}
	p.send(msg.Export{})
	return last[msg.Exported](t, p)
}

func TestVisitorsPath(t *testing.T) {
	p := newPage()
	file := recorded(t, p, 300)
	clip := last[msg.Loaded](t, p)
	if file.Ticks < 299 || file.Ticks > 300 || clip.Ticks != file.Ticks || clip.Hash != file.Hash || clip.Source != "recording" {
		t.Fatalf("exported %d ticks, loaded %+v", file.Ticks, clip)
	}
	if !strings.HasPrefix(file.Name, "strike-") || !strings.HasSuffix(file.Name, ".fxrt") {
		t.Errorf("file name %q", file.Name)
	}
	p.send(msg.Replay{})
	p.run(50)
	if s := p.status(); s.Mode != 1 || s.Tick < 48 || s.Tick > 50 {
		t.Errorf("after 50 ticks of replay: %+v", s)
	}
	p.send(msg.SeekTo{Tick: 200})
	p.send(msg.Pause{On: true})
	p.run(5)
	if s := p.status(); s.Tick != 200 || s.Flags&games.FlagPaused == 0 {
		t.Errorf("after a seek to 200: %+v", s)
	}
	p.send(msg.Hashes{})
	table := last[msg.HashTable](t, p).Bytes
	if len(table) != int(8*clip.Ticks) || hex(binary.LittleEndian.Uint64(table[len(table)-8:])) != clip.Hash {
		t.Errorf("a table of %d bytes for %d ticks", len(table), clip.Ticks)
	}
	hash := uint64(p.status().HashHi)<<32 | uint64(p.status().HashLo)
	if want := binary.LittleEndian.Uint64(table[8*199:]); hash != want {
		t.Errorf("the block's hash after 200 ticks is %016x; the table's %016x", hash, want)
	}

	// A fresh engine takes the file.
	q := newPage()
	q.send(msg.Import{Name: "friend.fxrt", Bytes: file.Bytes})
	if l := last[msg.Loaded](t, q); l.Hash != clip.Hash || l.Source != "friend.fxrt" {
		t.Errorf("loaded %+v", l)
	}
	q.send(msg.Replay{})
	q.send(msg.SeekTo{Tick: 1 << 31})
	q.run(10)
	if s := q.status(); s.Tick != clip.Ticks || s.Flags&games.FlagEnd == 0 {
		t.Errorf("after a seek past the end: %+v", s)
	}
}

func TestGhostIsDrawn(t *testing.T) {
	p := newPage()
	recorded(t, p, 200)
	p.send(msg.Start{Seed: "0000000000000001"})
	p.send(msg.Ghost{On: true})
	p.run(60)
	seen := 0
	for _, g := range p.screen.Block.Ghosts {
		seen += int(g.Visible)
	}
	if seen == 0 || !has(p, games.FlagGhost) {
		t.Error("no ghost beside the live match")
	}
	p.send(msg.GhostRestart{})
	p.run(2)
	if tick := p.status().GhostTick; tick > 3 {
		t.Errorf("ghost at tick %d after a restart", tick)
	}
}

// Files and messages from strangers are refused in words, and change nothing.
func TestRefusals(t *testing.T) {
	p := newPage()
	good := recorded(t, p, 200)
	before := last[msg.Loaded](t, p)
	flipped := append([]byte(nil), good.Bytes...)
	flipped[1000] ^= 1
	newer := append([]byte(nil), good.Bytes...)
	copy(newer, "FXRT0002")
	for _, tt := range []struct {
		name string
		file []byte
		kind string
	}{
		{"empty", nil, "truncated"},
		{"cut", good.Bytes[:500], "truncated"},
		{"flipped", flipped, "checksum"},
		{"newer", newer, "format"},
		{"text", []byte("this is no recording at all"), "magic"},
		{"large", make([]byte, 9<<20), "limit"},
	} {
		n := count[msg.Loaded](p)
		p.send(msg.Import{Name: tt.name, Bytes: tt.file})
		r := last[msg.Refused](t, p)
		if r.Name != tt.name || r.Kind != tt.kind || r.Text == "" || r.Command != "import" || r.Offset < 0 {
			t.Errorf("%s: %+v", tt.name, r)
		}
		if count[msg.Loaded](p) != n {
			t.Errorf("%s: another clip was loaded", tt.name)
		}
	}
	p.send(msg.Export{})
	if e := last[msg.Exported](t, p); e.Hash != before.Hash || e.Ticks != before.Ticks {
		t.Errorf("the clip is now %+v", e)
	}
	for _, seed := range []string{"", "12", "zzzzzzzzzzzzzzzz", "00000000000000001"} {
		n := count[msg.Refused](p)
		p.send(msg.Start{Seed: seed})
		if count[msg.Refused](p) != n+1 {
			t.Errorf("a match of seed %q was started", seed)
		}
	}
}

// Objects that are no messages are refused field by field, whatever they are.
func TestBadMessages(t *testing.T) {
	object := func(set func(o edge.Value)) edge.Value {
		o, err := edge.Global("Object").New()
		if err != nil {
			t.Fatal(err)
		}
		set(o)
		return o
	}
	put := func(o edge.Value, name string, v any) {
		if err := o.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range map[string]edge.Value{
		"undefined": edge.Nothing(),
		"function":  edge.Global("Object"),
		"empty":     object(func(edge.Value) {}),
		"unknown":   object(func(o edge.Value) { put(o, "type", "explode") }),
		"number":    object(func(o edge.Value) { put(o, "type", 7) }),
		"no tick":   object(func(o edge.Value) { put(o, "type", "seekTo") }),
		"half tick": object(func(o edge.Value) { put(o, "type", "seekTo"); put(o, "tick", 1.5) }),
		"negative":  object(func(o edge.Value) { put(o, "type", "seekTo"); put(o, "tick", -1) }),
		"huge":      object(func(o edge.Value) { put(o, "type", "seekBy"); put(o, "ticks", 1e300) }),
		"no buffer": object(func(o edge.Value) { put(o, "type", "import"); put(o, "name", "x"); put(o, "bytes", "text") }),
		"no text":   object(func(o edge.Value) { put(o, "type", "start"); put(o, "seed", 12) }),
	} {
		if m, err := msg.DecodeToEngine(v); err == nil {
			t.Errorf("%s is taken for %#v", name, m)
		}
	}
	good := object(func(o edge.Value) { put(o, "type", "seekBy"); put(o, "ticks", -64) })
	if m, err := msg.DecodeToEngine(good); err != nil || m != (msg.SeekBy{Ticks: -64}) {
		t.Errorf("%#v, %v", m, err)
	}
}

// Every message that can be made crosses with its fields.
func TestEncode(t *testing.T) {
	o, transfer, err := msg.EncodeFromEngine(msg.Exported{Name: "a.fxrt", Bytes: []byte{1, 2, 3}, Ticks: 4, Hash: "f"})
	if err != nil {
		t.Fatal(err)
	}
	if b, err := transfer.Bytes(10); err != nil || string(b) != "\x01\x02\x03" {
		t.Errorf("transferred %v, %v", b, err)
	}
	kind, err := o.Get("type")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := kind.Text(); err != nil || text != "exported" {
		t.Errorf("type %q, %v", text, err)
	}
}

// Whatever commands come, in whatever order, the engine goes on, and what it
// records can be verified.
func TestRandomCommands(t *testing.T) {
	for seed := range uint64(4) {
		p, r := newPage(), rand.New(rand.NewPCG(seed, 1))
		var file []byte
		for range 400 {
			switch r.IntN(20) {
			case 0:
				p.send(msg.Start{Seed: hex(r.Uint64())})
			case 1, 2:
				p.send(msg.Record{})
			case 3:
				p.send(msg.Stop{})
			case 4:
				p.send(msg.Replay{})
			case 5:
				p.send(msg.Live{})
			case 6:
				p.send(msg.Pause{On: r.IntN(2) == 0})
			case 7:
				p.send(msg.SeekTo{Tick: uint32(r.IntN(400))})
			case 8:
				p.send(msg.SeekBy{Ticks: int32(r.Uint32())})
			case 9:
				p.send(msg.Step{Ticks: int32(r.IntN(5) - 2)})
			case 10:
				p.send(msg.Speed{Rate: r.Float64()*34 - 17})
			case 11:
				p.send(msg.Loop{On: r.IntN(2) == 0, From: uint32(r.IntN(100)), To: uint32(r.IntN(200))})
			case 12:
				p.send(msg.Marker{Direction: int32(r.IntN(3) - 1)})
			case 13:
				p.send(msg.Ghost{On: r.IntN(2) == 0})
			case 14:
				p.send(msg.GhostRestart{})
			case 15:
				p.send(msg.Export{})
			case 16:
				p.send(msg.Import{Name: "own", Bytes: file})
			case 17:
				p.send(msg.Clip{From: uint32(r.IntN(50)), To: uint32(r.IntN(100))})
			case 18:
				p.send(msg.TakeOver{})
			case 19:
				p.send(msg.LivePause{On: r.IntN(3) == 0})
			}
			p.screen.Input = games.StrikeInput{Forward: int32(r.Uint32()), Yaw: int32(r.Uint32()), Buttons: r.Uint32(), Weapon: r.Uint32()}
			p.run(r.IntN(8))
			for _, m := range p.got {
				if n, is := m.(msg.Notice); is && n.Kind == "halted" {
					t.Fatalf("seed %d: %s", seed, n.Text)
				}
				if e, is := m.(msg.Exported); is {
					file = e.Bytes
				}
			}
			p.got = nil
		}
		if file != nil {
			p.send(msg.Import{Name: "own", Bytes: file})
			p.send(msg.Hashes{})
			want := last[msg.Loaded](t, p)
			if table := last[msg.HashTable](t, p).Bytes; len(table) > 0 && hex(binary.LittleEndian.Uint64(table[len(table)-8:])) != want.Hash {
				t.Errorf("seed %d: the exported file does not verify", seed)
			}
		}
	}
}

// A frame of ordinary play and of replay allocates nothing of its own.
func TestFrameAllocates(t *testing.T) {
	p := newPage()
	recorded(t, p, 300)
	p.run(10)
	p.got = nil
	if n := testing.AllocsPerRun(100, func() { p.frame(time.Second / 64) }); n > 0 {
		t.Errorf("%v allocations in a live frame", n)
	}
	p.send(msg.Replay{})
	p.run(10)
	p.got = nil
	// The player keeps states it passes, so that stepping back is instant: one
	// allocation in some tens of ticks.
	if n := testing.AllocsPerRun(200, func() { p.frame(time.Second / 64) }); n > 0 {
		t.Errorf("%v allocations in a frame of replay", n)
	}
}

func BenchmarkLiveFrame(b *testing.B) {
	p := newPage()
	p.send(msg.Start{Seed: "0000000000000001"})
	p.send(msg.Record{})
	for b.Loop() {
		p.frame(time.Second / 64)
		if p.status().LiveTick%19000 == 0 {
			p.send(msg.Start{Seed: "0000000000000001"})
			p.send(msg.Record{})
		}
	}
}

func BenchmarkSeekFiveMinutes(b *testing.B) {
	p := newPage()
	p.send(msg.Start{Seed: "0000000000000001"})
	p.send(msg.Record{})
	p.run(19_200)
	p.send(msg.Replay{})
	r := rand.New(rand.NewPCG(1, 1))
	frames := 0
	for b.Loop() {
		p.send(msg.SeekTo{Tick: uint32(r.IntN(19_200))})
		for p.screen.Block.Status.Target != p.screen.Block.Status.Tick || has(p, games.FlagSeeking) {
			p.frame(0)
			frames++
		}
		p.frame(0)
	}
	b.ReportMetric(float64(frames)/float64(b.N), "frames/seek")
}
