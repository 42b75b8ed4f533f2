// Package analyser holds simvet's rules, as a go/analysis analyser.
//
// A package is looked at when one of its files, tests aside, has the comment
// line //simvet:simulation. In it these are reported:
//
//   - a float product that reaches a sum without a conversion around it: Go may
//     fuse the two on some targets, and the bits then differ
//   - functions of package math whose results differ between targets
//   - math/rand, crypto/rand, clocks and timers
//   - maps ranged over, and the iterators of package maps
//   - goroutines, channels, select, and package sync
//   - a float converted to an integer without a check of its range before it
//   - package unsafe
//   - floats turned into text
//
// A line that is right for a reason the analyser cannot see carries a comment
// //simvet:allow with that reason, on it or on the line above.
package analyser

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer is simvet.
var Analyzer = &analysis.Analyzer{
	Name: "simvet",
	Doc:  "report what makes a deterministic simulation depend on its target, its run or the clock",
	URL:  "https://pkg.go.dev/reprise/cmd/simvet/analyser",
	Run:  run,
}

const (
	declares = "//simvet:simulation"
	allows   = "//simvet:allow "
)

// exact names what package math computes exactly, and so equally, everywhere.
var exact = map[string]bool{
	"Abs": true, "Ceil": true, "Copysign": true, "Dim": true, "FMA": true, "Float32bits": true,
	"Float32frombits": true, "Float64bits": true, "Float64frombits": true, "Floor": true,
	"Frexp": true, "Ilogb": true, "Inf": true, "IsInf": true, "IsNaN": true, "Ldexp": true,
	"Logb": true, "Max": true, "Min": true, "Mod": true, "Modf": true, "Nextafter": true,
	"Nextafter32": true, "Remainder": true, "Round": true, "RoundToEven": true, "Signbit": true,
	"Sqrt": true, "Trunc": true,
}

// forbidden packages, each with what to write instead.
var forbidden = map[string]string{
	"math/rand":    "draw from a generator kept in the state, seeded by the run",
	"math/rand/v2": "draw from a generator kept in the state, seeded by the run",
	"crypto/rand":  "draw from a generator kept in the state, seeded by the run",
	"unsafe":       "encode and decode state byte by byte",
	"sync":         "step on one goroutine, in a fixed order",
	"sync/atomic":  "step on one goroutine, in a fixed order",
}

type checker struct {
	*analysis.Pass
	parents map[ast.Node]ast.Node
	allowed map[string]bool // "file:line" that an allow comment covers
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{Pass: pass, parents: map[ast.Node]ast.Node{}, allowed: map[string]bool{}}
	simulation := false
	var files []*ast.File
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(f.Package).Filename, "_test.go") {
			continue
		}
		files = append(files, f)
		for _, group := range f.Comments {
			for _, line := range group.List {
				simulation = simulation || strings.TrimSpace(line.Text) == declares
				if strings.HasPrefix(line.Text, allows) {
					p := pass.Fset.Position(line.Pos())
					c.allowed[place(p.Filename, p.Line)] = true
					c.allowed[place(p.Filename, p.Line+1)] = true
				}
			}
		}
	}
	if !simulation {
		return nil, nil
	}
	for _, f := range files {
		c.imports(f)
		var stack []ast.Node
		ast.Inspect(f, func(n ast.Node) bool {
			if n == nil {
				stack = stack[:len(stack)-1]
				return true
			}
			if len(stack) > 0 {
				c.parents[n] = stack[len(stack)-1]
			}
			stack = append(stack, n)
			return true
		})
		ast.Inspect(f, c.visit)
	}
	return nil, nil
}

func place(file string, line int) string { return file + ":" + strconv.Itoa(line) }

func (c *checker) report(at token.Pos, message string) {
	p := c.Fset.Position(at)
	if !c.allowed[place(p.Filename, p.Line)] {
		c.Reportf(at, "%s", message)
	}
}

func (c *checker) imports(f *ast.File) {
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if cure, bad := forbidden[path]; bad {
			c.report(spec.Pos(), "a simulation does not import "+path+": "+cure)
		}
	}
}

func (c *checker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.MUL {
			c.product(n)
		}
	case *ast.AssignStmt:
		if n.Tok == token.MUL_ASSIGN && c.isFloat(n.Lhs[0]) {
			c.report(n.Pos(), "the product left in "+types.ExprString(n.Lhs[0])+" may be fused with a later sum: write x = float64(x * y)")
		}
	case *ast.RangeStmt:
		c.ranged(n)
	case *ast.GoStmt:
		c.report(n.Pos(), "a simulation starts no goroutine: do the work in order, within the tick")
	case *ast.SelectStmt:
		c.report(n.Pos(), "select picks by chance: decide from the state")
	case *ast.SendStmt:
		c.report(n.Pos(), "a simulation uses no channel: append to a slice in the state")
	case *ast.ChanType:
		c.report(n.Pos(), "a simulation uses no channel: append to a slice in the state")
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			c.report(n.Pos(), "a simulation uses no channel: read from a slice in the state")
		}
	case *ast.CallExpr:
		c.call(n)
	case *ast.SelectorExpr:
		c.selector(n)
	}
	return true
}

func (c *checker) ranged(n *ast.RangeStmt) {
	t := c.TypesInfo.TypeOf(n.X)
	if t == nil {
		return
	}
	if _, is := t.Underlying().(*types.Map); is {
		c.report(n.Pos(), "a map's order differs from run to run: keep the keys in a sorted slice and range over that")
	}
}

// selector looks at every use of a package's name, called or not.
func (c *checker) selector(n *ast.SelectorExpr) {
	name, ok := n.X.(*ast.Ident)
	if !ok {
		return
	}
	pkg, ok := c.TypesInfo.Uses[name].(*types.PkgName)
	if !ok {
		return
	}
	_, function := c.TypesInfo.Uses[n.Sel].(*types.Func)
	if !function {
		return
	}
	switch path, fn := pkg.Imported().Path(), n.Sel.Name; path {
	case "math":
		if !exact[fn] {
			c.report(n.Pos(), "math."+fn+" gives other bits on other targets: use sim/detmath, or a table of your own")
		}
	case "time":
		c.report(n.Pos(), "a simulation reads no clock (time."+fn+"): count ticks")
	case "maps":
		if fn == "Keys" || fn == "Values" || fn == "All" {
			c.report(n.Pos(), "maps."+fn+" yields in an order that differs from run to run: keep the keys in a sorted slice")
		}
	case "strconv":
		if fn == "FormatFloat" || fn == "AppendFloat" {
			c.report(n.Pos(), "state is no text of a float (strconv."+fn+"): store math.Float64bits")
		}
	}
}

func (c *checker) call(n *ast.CallExpr) {
	if tv := c.TypesInfo.Types[n.Fun]; tv.IsType() {
		if len(n.Args) == 1 {
			c.conversion(n, tv.Type)
		}
		return
	}
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := c.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "fmt" {
		return
	}
	for _, arg := range n.Args {
		if c.isFloat(arg) {
			c.report(arg.Pos(), "state is no text of a float (fmt."+fn.Name()+"): store math.Float64bits")
		}
	}
}

func (c *checker) isFloat(e ast.Expr) bool {
	t := c.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}
