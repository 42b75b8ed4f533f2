//go:build js

// Command wasm is the engine: a tape deck around Strike, for a Web Worker.
//
// The worker sends messages by repriseCommand and gets them by repriseEmit (see
// package msg). Once a frame it writes the person's command at input, calls
// frame, and copies blockBytes bytes from block.
package main

import (
	"errors"
	"strconv"
	"time"

	"reprise/games"
	"reprise/sim"
	"reprise/sim/strike"
	"reprise/timeline"
	"reprise/timeline/deck"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

// An engine is the deck and what the page is shown of it.
type engine struct {
	game   *games.Game
	deck   *deck.Deck
	screen *games.StrikeScreen
	seats  *games.StrikeSeats
	emit   func(msg.FromEngine)
	told   *timeline.Clip // the clip last described to the page
	frames uint32
	saves  *saves
}

func newEngine(emit func(msg.FromEngine)) *engine {
	e := &engine{game: games.Strike(), screen: games.NewStrikeScreen(), emit: emit}
	e.saves = newSaves(e)
	e.deck = deck.New(deck.Game{
		Store: e.saves,
		Info:  e.game.Info,
		New:   e.game.New,
		NewDriver: func(seed uint64) deck.Driver {
			e.seats = games.NewStrikeSeats(seed, false)
			return e.seats
		},
		Keep:   func(w sim.World) { e.screen.Keep(w.(*strike.World)) },
		Marker: games.StrikeMarker,
		Bodies: strike.Players,
		Dims:   3,
		Body: func(w sim.World, i int) deck.Body {
			pose, hidden := e.screen.StrikeBody(w, i)
			return deck.Body{Pose: pose, Hidden: hidden}
		},
	})
	return e
}

// frame plays what elapsed time asks for and fills the block.
func (e *engine) frame(elapsed time.Duration) {
	if e.seats != nil {
		e.seats.Local = e.screen.Command()
	}
	e.deck.Advance(elapsed)
	e.saves.frame(elapsed)
	e.draw()
	e.report()
}

// draw fills the frame block.
func (e *engine) draw() {
	e.frames++
	s := e.deck.Status()
	e.status(&s)
	for _, ev := range e.deck.Events() {
		e.screen.Event(ev.Tick, ev.Event)
	}
	w := e.deck.World()
	if w == nil || s.Mode == deck.ModeReplay && s.Busy && !s.Seeking {
		return // the last picture stands
	}
	e.screen.Draw(w.(*strike.World), float32(e.deck.Alpha()))
	for i := range strike.Players {
		pose, visible := e.deck.GhostPose(i)
		e.screen.DrawGhost(i, pose, visible)
	}
}

// status fills the head of the block, with no events yet.
func (e *engine) status(s *deck.Status) {
	b := &e.screen.Block.Status
	*b = games.Status{
		Frame: e.frames, Mode: uint32(s.Mode), Cuts: s.Cuts,
		Tick: uint32(s.Tick), Ticks: uint32(s.Ticks), Target: uint32(s.Target), LiveTick: uint32(s.LiveTick),
		Alpha: float32(e.deck.Alpha()), Speed: float32(s.Speed),
		UsedTicks: uint32(s.Usage.Ticks), UsedEvents: uint32(s.Usage.Events),
		UsedCheckpoints: uint32(s.Usage.Checkpoints), UsedPayload: uint32(s.Usage.Payload),
		LimitTicks: uint32(s.Limits.Ticks), LimitEvents: uint32(s.Limits.Events),
		LimitCheckpoints: uint32(s.Limits.Checkpoints), LimitPayload: uint32(s.Limits.Payload),
		GhostTick: uint32(s.GhostTick), GhostTicks: uint32(s.GhostTicks),
		LoopFrom: uint32(s.From), LoopTo: uint32(s.To),
	}
	for _, f := range [...]struct {
		on  bool
		bit uint32
	}{
		{s.Started, games.FlagStarted}, {s.LivePaused, games.FlagLivePaused}, {s.Paused, games.FlagPaused},
		{s.Recording, games.FlagRecording}, {s.Seeking, games.FlagSeeking}, {s.Ghost, games.FlagGhost},
		{s.Err != nil, games.FlagHalted}, {s.Loop, games.FlagLooping}, {s.HasClip, games.FlagClip}, {s.End, games.FlagEnd},
	} {
		if f.on {
			b.Flags |= f.bit
		}
	}
	if w := e.deck.World(); w != nil {
		h := w.Hash()
		b.HashLo, b.HashHi = uint32(h), uint32(h>>32)
	}
}

// report tells the page what happened since it last did.
func (e *engine) report() {
	for {
		n, ok := e.deck.Notice()
		if !ok {
			break
		}
		if n.Kind == deck.ImportRefused {
			continue // the command's own answer says so
		}
		level := "status"
		if n.Alert() {
			level = "alert"
		}
		e.emit(msg.Notice{Level: level, Kind: n.Kind.String(), Text: n.Text(), Tick: uint32(n.Tick)})
	}
	if clip := e.deck.Clip(); clip != e.told {
		e.told = clip
		e.emit(e.describe(clip))
	}
}

func (e *engine) describe(clip *timeline.Clip) msg.Loaded {
	use := clip.Usage()
	return msg.Loaded{
		Source: e.deck.Source(), Ticks: uint32(use.Ticks), Events: uint32(use.Events), Size: uint32(clip.Size()),
		Seed: hex(clip.Info().Seed), Hash: hex(clip.HashAt(clip.Ticks())), Markers: games.Markers(clip, games.StrikeMarker),
	}
}

func hex(v uint64) string {
	s := strconv.FormatUint(v, 16)
	return "0000000000000000"[len(s):] + s
}

// command carries out one message. A command that fails is answered by Refused;
// the deck is then as it was.
func (e *engine) command(m msg.ToEngine) {
	name, file, err := e.carryOut(m)
	if err != nil {
		e.emit(refusal(name, file, err))
	}
	e.report()
}

// carryOut returns the command's name, for a refusal, and the file it was about.
func (e *engine) carryOut(m msg.ToEngine) (name, file string, err error) {
	d := e.deck
	if name, taken, err := e.saves.command(m); taken {
		return name, "", err
	}
	switch m := m.(type) {
	case msg.Start:
		seed, err := strconv.ParseUint(m.Seed, 16, 64)
		if err != nil || len(m.Seed) != 16 {
			return "start", "", &msg.Error{Field: "seed", Cause: "not 16 hex digits"}
		}
		d.Start(seed)
	case msg.LivePause:
		return "livePause", "", d.SetLivePaused(m.On)
	case msg.Record:
		return "record", "", d.Record()
	case msg.Stop:
		return "stop", "", d.Stop()
	case msg.Replay:
		return "replay", "", d.Replay()
	case msg.Live:
		return "live", "", d.Live()
	case msg.Pause:
		return "pause", "", d.SetPaused(m.On)
	case msg.SeekTo:
		return "seekTo", "", d.SeekTo(uint64(m.Tick))
	case msg.SeekBy:
		return "seekBy", "", d.SeekBy(int64(m.Ticks))
	case msg.Step:
		return "step", "", d.Step(int64(m.Ticks))
	case msg.Speed:
		return "speed", "", d.SetSpeed(m.Rate)
	case msg.Loop:
		if !m.On {
			d.ClearLoop()
			return "loop", "", nil
		}
		return "loop", "", d.SetLoop(uint64(m.From), uint64(m.To))
	case msg.Marker:
		if m.Direction < 0 {
			return "marker", "", d.PrevMarker()
		}
		return "marker", "", d.NextMarker()
	case msg.Ghost:
		return "ghost", "", d.SetGhost(m.On)
	case msg.GhostRestart:
		return "ghostRestart", "", d.RestartGhost()
	case msg.Import:
		return "import", m.Name, d.Import(m.Name, m.Bytes)
	case msg.Export:
		file, err := d.Export()
		return "export", "", e.offer(file, err)
	case msg.Clip:
		file, err := d.Cut(uint64(m.From), uint64(m.To))
		return "clip", "", e.offer(file, err)
	case msg.TakeOver:
		return "takeOver", "", d.TakeOver()
	case msg.Hashes:
		return "hashes", "", e.hashes()
	}
	return "", "", nil
}

// offer hands a finished file to the page.
func (e *engine) offer(file []byte, err error) error {
	if err != nil {
		return err
	}
	clip, err := timeline.Decode(file, len(file))
	if err != nil {
		return err
	}
	ticks := clip.Ticks()
	e.emit(msg.Exported{
		Name:  e.game.Name + "-" + today() + "-" + strconv.FormatUint(ticks, 10) + ".fxrt",
		Bytes: file, Ticks: uint32(ticks), Hash: hex(clip.HashAt(ticks)),
	})
	return nil
}

// hashes plays the loaded clip in a world of its own, without looking at the
// hashes it stores, and answers with those it found.
func (e *engine) hashes() error {
	clip := e.deck.Clip()
	if clip == nil {
		return deck.ErrNoClip
	}
	table := make([]byte, 0, 8*clip.Ticks())
	for p, err := range timeline.Resimulate(clip, e.game.New(clip.Info().Seed)) {
		if err != nil {
			return err
		}
		for shift := 0; shift < 64; shift += 8 {
			table = append(table, byte(p.Hash>>shift))
		}
	}
	e.emit(msg.HashTable{Bytes: table})
	return nil
}

func refusal(command, file string, err error) msg.Refused {
	r := msg.Refused{Command: command, Name: file, Offset: -1, Text: explainSave(err)}
	if fe, ok := errors.AsType[*timeline.FormatError](err); ok {
		r.Kind, r.Offset, r.Field = fe.Kind(), float64(fe.Offset), fe.Field
	}
	if me, ok := errors.AsType[*timeline.MismatchError](err); ok {
		r.Kind, r.Field = "mismatch", me.Field
	}
	return r
}

// today is the date in universal time, for file names.
func today() string {
	const fallback = "clip"
	now, err := edge.Global("Date").New()
	if err != nil {
		return fallback
	}
	value, err := now.Call("toISOString")
	if err != nil {
		return fallback
	}
	text, err := value.Text()
	if err != nil || len(text) < len("2006-01-02") {
		return fallback
	}
	return text[:len("2006-01-02")]
}
