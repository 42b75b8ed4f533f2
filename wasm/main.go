//go:build js

package main

import (
	"math"
	"time"
	"unsafe"

	"reprise/games"
	"reprise/wasm/edge"
	"reprise/wasm/msg"
)

// running is the engine; nil once it failed, after which nothing is done.
var running *engine

// What frame returns.
const (
	frameDone   = 0
	frameFailed = 1 // the reason went out as a Failed message
)

func main() {
	// The bots learn the arena once; here, while the page shows its progress.
	games.NewStrikeSeats(0, true)
	running = newEngine(emit)
	take := edge.Func(func(args []edge.Value) {
		if len(args) == 1 {
			receive(args[0])
		}
	})
	if err := edge.Global("globalThis").Set("repriseCommand", take); err != nil {
		panic(err)
	}
	emit(msg.Ready{
		Game: running.game.Name, TickRate: running.game.TickRate,
		BlockWords: uint32(blockBytes()) / 4, InputWords: uint32(unsafe.Sizeof(running.screen.Input)) / 4,
	})
	emit(msg.Scene{Boxes: littleEndian(running.screen.Scene())})
	select {} // the worker calls from here on
}

// frame plays seconds of time and fills the block. It never blocks.
//
//go:wasmexport frame
func frame(seconds float64) (status int32) {
	status = frameFailed
	defer failOnPanic()
	if running == nil {
		return
	}
	if !(seconds >= 0 && seconds <= 3600) { // NaN too
		seconds = 0
	}
	running.frame(time.Duration(seconds * float64(time.Second)))
	return frameDone
}

// block is where the frame block lies in memory. It never moves.
//
//go:wasmexport block
func block() unsafe.Pointer {
	if running == nil {
		return nil
	}
	return unsafe.Pointer(&running.screen.Block)
}

// blockBytes is the block's size.
//
//go:wasmexport blockBytes
func blockBytes() int32 {
	if running == nil {
		return 0
	}
	return int32(unsafe.Sizeof(running.screen.Block))
}

// input is where the person's command is written before a frame.
//
//go:wasmexport input
func input() unsafe.Pointer {
	if running == nil {
		return nil
	}
	return unsafe.Pointer(&running.screen.Input)
}

// receive takes one message from the page.
func receive(v edge.Value) {
	defer failOnPanic()
	if running == nil {
		return
	}
	m, err := msg.DecodeToEngine(v)
	if err != nil {
		emit(msg.Refused{Command: "message", Offset: -1, Text: err.Error()})
		return
	}
	running.command(m)
}

// failOnPanic makes a panic the engine's end, told to the page: what it left
// half done is never shown or stepped again. A panic that reached the runtime
// would end the program with less to say.
func failOnPanic() {
	r := recover()
	if r == nil {
		return
	}
	running = nil
	text := "unknown"
	switch r := r.(type) {
	case error:
		text = r.Error()
	case string:
		text = r
	}
	emit(msg.Failed{Text: "The engine stopped: " + text + "."})
}

// emit sends a message to the page. When even that fails there is no one to
// tell; the page notices that frames stop.
func emit(m msg.FromEngine) {
	object, transfer, err := msg.EncodeFromEngine(m)
	if err != nil {
		println("a message could not be made:", err.Error())
		return
	}
	if _, err := edge.Global("repriseEmit").Invoke(object, transfer); err != nil {
		println("a message could not be sent:", err.Error())
	}
}

func littleEndian(words []float32) []byte {
	b := make([]byte, 0, 4*len(words))
	for _, w := range words {
		v := math.Float32bits(w)
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return b
}
