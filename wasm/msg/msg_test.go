package msg_test

import (
	"bytes"
	"os"
	"testing"

	"reprise/wasm/msg/gen/emit"
)

// The page's types and the engine's codec are what the declarations say now.
func TestGeneratedFilesAreCurrent(t *testing.T) {
	files, err := emit.Files(".", "../../games")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.Data) {
			t.Errorf("%s is not what go generate ./wasm/msg writes", f.Path)
		}
	}
}
