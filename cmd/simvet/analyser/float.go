package analyser

import (
	"go/ast"
	"go/token"
	"go/types"
)

// product reports a float product whose rounding is left to the compiler: one
// that is not directly inside a conversion, and goes where a sum may take it up.
func (c *checker) product(n *ast.BinaryExpr) {
	if !c.isFloat(n) || c.TypesInfo.Types[n].Value != nil {
		return
	}
	var at ast.Node = n
	for {
		parent := c.parents[at]
		switch p := parent.(type) {
		case *ast.ParenExpr:
			at = p
			continue
		case *ast.UnaryExpr:
			at = p
			continue
		case *ast.BinaryExpr:
			switch p.Op {
			case token.ADD, token.SUB:
				c.report(n.Pos(), "the product "+types.ExprString(n)+" may be fused into this sum: write "+c.cure(n))
			}
			// A product of a product is looked at by itself; a quotient or a
			// comparison fuses nowhere.
			return
		case *ast.CallExpr:
			if c.TypesInfo.Types[p.Fun].IsType() || c.exactCall(p) {
				return
			}
		case *ast.AssignStmt:
			if p.Tok == token.ADD_ASSIGN || p.Tok == token.SUB_ASSIGN {
				c.report(n.Pos(), "the product "+types.ExprString(n)+" may be fused into this sum: write "+c.cure(n))
				return
			}
		case *ast.IfStmt, *ast.SwitchStmt, *ast.CaseClause, *ast.IndexExpr:
			return
		}
		break
	}
	c.report(n.Pos(), "the product "+types.ExprString(n)+" may be fused with a sum where it is used: write "+c.cure(n))
}

func (c *checker) cure(n *ast.BinaryExpr) string {
	kind := "float64"
	if b, ok := c.TypesInfo.TypeOf(n).Underlying().(*types.Basic); ok && b.Kind() == types.Float32 {
		kind = "float32"
	}
	return kind + "(" + types.ExprString(n) + ")"
}

// exactCall reports whether a call takes its argument as a rounded double: the
// functions of package math do.
func (c *checker) exactCall(n *ast.CallExpr) bool {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := c.TypesInfo.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "math" && fn.Name() != "FMA"
}

// conversion reports a float turned into an integer whose range nothing checks:
// what a value outside the integer's range becomes differs between targets.
func (c *checker) conversion(n *ast.CallExpr, to types.Type) {
	b, ok := to.Underlying().(*types.Basic)
	arg := ast.Unparen(n.Args[0])
	if !ok || b.Info()&types.IsInteger == 0 || !c.isFloat(arg) || c.TypesInfo.Types[arg].Value != nil {
		return
	}
	if c.clamped(arg) || c.checked(n, arg) {
		return
	}
	c.report(n.Pos(), "a float outside "+types.TypeString(to, types.RelativeTo(c.Pkg))+
		"'s range becomes another integer on each target: check "+types.ExprString(arg)+" on both sides first, or clamp it with min and max")
}

// clamped reports whether e is min(max(…)) or max(min(…)), perhaps rounded.
func (c *checker) clamped(e ast.Expr) bool {
	seen := map[string]bool{}
	for {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return false
		}
		if c.exactCall(call) && len(call.Args) == 1 {
			e = call.Args[0]
			continue
		}
		id, ok := call.Fun.(*ast.Ident)
		if !ok {
			return false
		}
		if _, builtin := c.TypesInfo.Uses[id].(*types.Builtin); !builtin || (id.Name != "min" && id.Name != "max") {
			return false
		}
		seen[id.Name] = true
		if seen["min"] && seen["max"] {
			return true
		}
		next := false
		for _, a := range call.Args {
			if _, is := ast.Unparen(a).(*ast.CallExpr); is {
				e, next = a, true
			}
		}
		if !next {
			return false
		}
	}
}

// checked reports whether, before n in its function, the variable e reads was
// compared on both sides in a condition that n depends on: one it stands under,
// or one that leaves the function or the loop when it holds. An assignment from
// min and max counts as well.
func (c *checker) checked(n ast.Node, e ast.Expr) bool {
	b := bounds{checker: c, want: types.ExprString(c.core(e))}
	for at := n; at != nil; at = c.parents[at] {
		switch p := c.parents[at].(type) {
		case *ast.IfStmt:
			if at != p.Cond {
				b.compared(p.Cond)
			}
		case *ast.ForStmt:
			if p.Cond != nil {
				b.compared(p.Cond)
			}
		case *ast.CaseClause:
			b.compared(p.List...)
		case *ast.BinaryExpr:
			if p.Op == token.LAND && at == p.Y {
				b.compared(p.X)
			}
		case *ast.BlockStmt:
			for _, s := range p.List {
				if s.Pos() >= at.Pos() {
					break
				}
				b.passed(s)
			}
		case *ast.FuncDecl, *ast.FuncLit:
			return b.low && b.high
		}
	}
	return b.low && b.high
}

// bounds collects on which sides the expression want was compared.
type bounds struct {
	*checker
	want      string
	low, high bool
}

// compared looks for comparisons of want in conditions. Which way a condition went
// is not asked: whoever wrote it thought of that side.
func (b *bounds) compared(conditions ...ast.Expr) {
	for _, cond := range conditions {
		ast.Inspect(cond, func(n ast.Node) bool {
			if cmp, ok := n.(*ast.BinaryExpr); ok {
				b.comparison(cmp)
			}
			return true
		})
	}
}

func (b *bounds) comparison(n *ast.BinaryExpr) {
	left, right := types.ExprString(b.core(n.X)) == b.want, types.ExprString(b.core(n.Y)) == b.want
	below := n.Op == token.LSS || n.Op == token.LEQ
	above := n.Op == token.GTR || n.Op == token.GEQ
	low, high := left && below || right && above, left && above || right && below
	if left && b.isAbs(n.X) || right && b.isAbs(n.Y) { // |x| < y bounds x on both
		low = low || high
		high = low
	}
	b.low, b.high = b.low || low, b.high || high
}

// passed looks at a statement that was left behind on the way to the conversion.
func (b *bounds) passed(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.IfStmt:
		if leaves(s.Body) {
			b.compared(s.Cond)
		}
	case *ast.SwitchStmt:
		for _, clause := range s.Body.List {
			b.compared(clause.(*ast.CaseClause).List...)
		}
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 && types.ExprString(s.Lhs[0]) == b.want && b.clamped(s.Rhs[0]) {
			b.low, b.high = true, true
		}
	}
}

// core strips what keeps a value's size: parentheses, sign, math's rounding and
// Abs.
func (c *checker) core(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.UnaryExpr:
			if x.Op == token.SUB || x.Op == token.ADD {
				e = x.X
				continue
			}
		case *ast.CallExpr:
			if c.exactCall(x) && len(x.Args) == 1 {
				e = x.Args[0]
				continue
			}
		}
		return e
	}
}

func (c *checker) isAbs(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Abs"
}

// leaves reports whether a block ends by going elsewhere.
func leaves(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	switch s := b.List[len(b.List)-1].(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return true
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}
