package reprise_test

import (
	"go/build"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed says for each package what of ours it may import: in a list, "x/…"
// stands for x and all below it; a key that ends in / stands for every package
// below it.
var allowed = map[string][]string{
	".":                     {},
	"sim/digest":            {},
	"sim/detmath":           {},
	"sim/rng":               {},
	"sim/overlap":           {},
	"sim/shots":             {"sim/digest", "sim/detmath", "sim/rng", "sim/overlap"},
	"sim/director":          {"sim/digest", "sim/detmath", "sim/rng", "sim/overlap"},
	"sim":                   {"sim/digest"},
	"sim/simtest":           {"sim", "sim/digest"},
	"sim/strike":            worldMay,
	"sim/rally":             worldMay,
	"sim/tiles":             worldMay,
	"journal":               {"sim/digest", "sim/rng"},
	"timeline":              {"sim", "sim/digest"},
	"ghost":                 {"sim/digest"},
	"save":                  {"sim/digest"},
	"timeline/desync":       {"sim", "timeline", "journal", "save"},
	"timeline/deck":         {"sim", "timeline", "timeline/desync", "journal", "ghost", "save"},
	"games":                 {"sim/…", "journal", "timeline", "ghost"},
	"save/idb":              {"sim/…", "journal", "timeline/…", "ghost", "save", "games", "wasm/edge"},
	"wasm":                  {"sim/…", "journal", "timeline/…", "ghost", "save/…", "games", "wasm/msg", "wasm/edge"},
	"wasm/msg":              {"wasm/edge"},
	"wasm/edge":             {},
	"wasm/msg/gen":          {"wasm/msg/gen/emit"},
	"wasm/msg/gen/emit":     {},
	"sim/detmath/internal/": {"sim/detmath/…"},
	"web":                   {},
	"cmd/":                  {"…"},
}

var worldMay = []string{"sim", "sim/digest", "sim/detmath", "sim/rng", "sim/overlap", "sim/shots", "sim/director"}

// onlyIn names the packages of others that a few of ours alone may import.
var onlyIn = map[string][]string{
	"syscall/js":            {"wasm/edge"},
	"maragu.dev/gomponents": {"web"},
}

// heavy are packages the engine must not reach: each costs more of the download
// than the code that would use it.
var heavy = []string{"fmt", "encoding/json", "log", "text/template", "html/template", "regexp", "math/big"}

func rule(pkg string) ([]string, bool) {
	if may, ok := allowed[pkg]; ok {
		return may, true
	}
	for prefix, may := range allowed {
		if strings.HasSuffix(prefix, "/") && strings.HasPrefix(pkg+"/", prefix) {
			return may, true
		}
	}
	return nil, false
}

func permits(may []string, pkg string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		if folder, all := strings.CutSuffix(m, "…"); all {
			return strings.HasPrefix(pkg+"/", folder)
		}
		return m == pkg
	})
}

func TestImports(t *testing.T) {
	packages := 0
	err := filepath.WalkDir(".", func(dir string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		switch name := d.Name(); {
		case name == "node_modules", name == "build", name == "testdata", name != "." && name[0] == '.':
			return filepath.SkipDir
		}
		pkg := filepath.ToSlash(dir)
		for _, goos := range []string{"linux", "js"} {
			ctx := build.Default
			ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled = goos, map[string]string{"linux": "amd64", "js": "wasm"}[goos], false
			p, err := ctx.ImportDir(dir, 0)
			if err != nil || len(p.GoFiles) == 0 {
				continue
			}
			packages++
			checkPackage(t, pkg, p.Imports, goos == "js")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if packages < 10 {
		t.Fatalf("only %d packages were found: the test looks in the wrong place", packages)
	}
}

func checkPackage(t *testing.T, pkg string, imports []string, js bool) {
	may, ok := rule(pkg)
	if !ok {
		t.Errorf("%s: not in the table", pkg)
		return
	}
	for _, imp := range imports {
		if ours, is := strings.CutPrefix(imp, "reprise/"); is && !permits(may, ours) {
			t.Errorf("%s may not import %s", pkg, ours)
		}
		for other, where := range onlyIn {
			if (imp == other || strings.HasPrefix(imp, other+"/")) && !slices.Contains(where, pkg) {
				t.Errorf("%s may not import %s", pkg, imp)
			}
		}
		if js && inEngine(pkg) && slices.Contains(heavy, imp) {
			t.Errorf("%s is part of the engine and may not import %s", pkg, imp)
		}
	}
}

func inEngine(pkg string) bool {
	if strings.HasPrefix(pkg, "wasm/msg/gen") || pkg == "sim/simtest" || strings.HasPrefix(pkg, "sim/detmath/internal") {
		return false
	}
	first, _, _ := strings.Cut(pkg, "/")
	return slices.Contains([]string{"sim", "journal", "timeline", "ghost", "save", "games", "wasm"}, first)
}
