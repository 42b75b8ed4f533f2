// Command gen makes the message codec and its TypeScript twin from msg.go, and
// the frame block's places from the structs of package games.
package main

import (
	"fmt"
	"os"

	"reprise/wasm/msg/gen/emit"
)

func main() {
	files, err := emit.Files(".", "../../games")
	if err == nil {
		for _, f := range files {
			if err = os.WriteFile(f.Path, f.Data, 0o644); err != nil {
				break
			}
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
