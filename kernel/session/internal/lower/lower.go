package lower

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"

	"orthant/kernel/session/internal/check"
)

// A lowerer lowers one cell.
type lowerer struct {
	w                     *World
	c                     *check.Cell
	info                  *types.Info
	self                  string // local name of the package of slots, for the file being built
	helpers               string // local name of HelperPackage, likewise
	usesSelf, usesHelpers bool
	path                  string                   // the import path of the package of slots
	imports               map[string]string        // import path to local name, for the file being built
	exports               map[string]reflect.Value // what the package of slots holds
	slots                 map[types.Object]*Slot   // of the variables and functions that the cell defines
	inBody                bool                     // what is lowered stands in the cell's body, behind the aliases
	aliased               map[*Slot]bool           // variables whose converted pointer has a name
	aliases               []ast.Stmt               // the definitions of these names
	errs                  []check.Error
	start                 token.Pos             // of the cell: its first node
	pos                   token.Pos             // of the statement being lowered: for nodes that no source stands behind
	loops                 []*loop               // the loops around the statement, innermost last
	fn                    function              // the function around the statement
	boxes                 map[types.Object]bool // what the function puts into interfaces
	calm                  map[token.Pos]bool    // where the functions begin that contain no recover
	depth                 int                   // how many functions stand around it, the cell's body not counted
	count                 int
	// recoverFrame is set while the literal of a defer statement is lowered: the frame that its recover asks.
	recoverFrame string
}

// slotPackage is the name of the packages that hold the slots of a cell.
const slotPackage = "slots"

// newLowerer returns a lowerer for a cell. run tells runs of the same cell number apart.
func newLowerer(w *World, c *check.Cell, run int) *lowerer {
	start := first(c)
	l := &lowerer{
		w: w, c: c, info: c.Info, start: start, pos: start,
		path:    fmt.Sprintf("orthant/cell/%d", run),
		imports: map[string]string{},
		exports: map[string]reflect.Value{},
		slots:   map[types.Object]*Slot{},
		aliased: map[*Slot]bool{},
		calm:    map[token.Pos]bool{},
		boxes:   map[types.Object]bool{},
	}
	l.renew()
	return l
}

// renew gives the next file names of its own for the two packages that every file may import.
func (l *lowerer) renew() {
	l.self, l.helpers = l.w.fresh("S"+mark), l.w.fresh("H"+mark)
	l.usesSelf, l.usesHelpers = false, false
}

// first returns the position of any node of a cell.
func first(c *check.Cell) token.Pos {
	switch {
	case len(c.Body) > 0:
		return c.Body[0].Pos()
	case len(c.Decls) > 0:
		return c.Decls[0].Pos()
	case len(c.Cell.Funcs) > 0:
		return c.Cell.Funcs[0].Pos()
	case len(c.Cell.Imports) > 0:
		return c.Cell.Imports[0].Pos()
	}
	return token.NoPos
}

// fail notes that the cell cannot be lowered.
func (l *lowerer) fail(pos token.Pos, format string, args ...any) {
	l.errs = append(l.errs, check.Error{Pos: l.c.Env.Files.Position(pos), Msg: fmt.Sprintf(format, args...)})
}

// temp returns a new local name.
func (l *lowerer) temp() string {
	l.count++
	return "t" + mark + strconv.Itoa(l.count)
}

// file returns a file of the engine's package main with the declarations and the imports they need.
func (l *lowerer) file(decls []ast.Decl) *ast.File {
	// The engine tells files apart by the name at the package clause's position.
	f := &ast.File{Package: l.start, Name: &ast.Ident{Name: "main", NamePos: l.start}}
	add := func(name, importPath string) {
		spec := &ast.ImportSpec{
			Name: &ast.Ident{Name: name, NamePos: l.pos},
			Path: &ast.BasicLit{ValuePos: l.pos, Kind: token.STRING, Value: strconv.Quote(importPath)}}
		f.Decls = append(f.Decls, &ast.GenDecl{TokPos: l.pos, Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	}
	if l.usesSelf {
		add(l.self, l.path)
	}
	if l.usesHelpers {
		add(l.helpers, path.Dir(HelperPackage))
	}
	for _, p := range slices.Sorted(maps.Keys(l.imports)) {
		add(l.imports[p], p)
	}
	f.Decls = append(f.Decls, decls...)
	// The engine keeps all files of a package in one scope: the next file needs other names.
	l.imports = map[string]string{}
	l.renew()
	return f
}

// native returns the selector of a compiled package's name.
func (l *lowerer) native(pos token.Pos, pkg *types.Package, name string) ast.Expr {
	alias, ok := l.imports[pkg.Path()]
	if !ok {
		alias = l.w.fresh(pkg.Name() + mark)
		l.imports[pkg.Path()] = alias
	}
	return &ast.SelectorExpr{X: l.ident(pos, alias), Sel: l.ident(pos, name)}
}

// export puts a native value into the package of slots and returns the selector that reaches it.
func (l *lowerer) export(pos token.Pos, name string, v reflect.Value) ast.Expr {
	l.exports[name] = v
	l.usesSelf = true
	return &ast.SelectorExpr{X: l.ident(pos, l.self), Sel: l.ident(pos, name)}
}

// helper returns the selector of a function of HelperPackage.
func (l *lowerer) helper(pos token.Pos, name string) ast.Expr {
	l.usesHelpers = true
	return &ast.SelectorExpr{X: l.ident(pos, l.helpers), Sel: l.ident(pos, name)}
}

// access returns the expression of a session variable's value; it can be assigned to.
func (l *lowerer) access(pos token.Pos, s *Slot) ast.Expr {
	return &ast.StarExpr{Star: pos, X: l.pointer(pos, s)}
}

// pointer returns the expression of the pointer to a session variable. Where the engine's static type of the variable is
// not its reflect type the pointer is converted, once, at the head of the cell's body.
func (l *lowerer) pointer(pos token.Pos, s *Slot) ast.Expr {
	if l.depth > 0 {
		s.Held = true
	}
	if !composite(s.Type) {
		return l.export(pos, s.Name, s.Ptr)
	}
	if !l.inBody {
		return l.converted(pos, s)
	}
	if !l.aliased[s] {
		l.aliased[s] = true
		l.aliases = append(l.aliases, l.define(l.start, l.converted(l.start, s), alias(s)))
	}
	return l.ident(pos, alias(s))
}

// alias is the local name of a converted pointer.
func alias(s *Slot) string { return "p" + mark + s.Name }

// converted writes (*T)(S.V3).
func (l *lowerer) converted(pos token.Pos, s *Slot) ast.Expr {
	return l.call(pos, &ast.ParenExpr{Lparen: pos, X: &ast.StarExpr{Star: pos, X: l.typeExpr(pos, s.Type)}, Rparen: pos},
		l.export(pos, s.Name, s.Ptr))
}

// slot returns the storage of a session object, if it is one.
func (l *lowerer) slot(obj types.Object) *Slot {
	if s := l.slots[obj]; s != nil {
		return s
	}
	return l.w.Slot(obj)
}

func (l *lowerer) ident(pos token.Pos, name string) *ast.Ident {
	return &ast.Ident{NamePos: pos, Name: name}
}

func (l *lowerer) call(pos token.Pos, fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: pos, Args: args, Rparen: pos}
}

func (l *lowerer) intLit(pos token.Pos, n int) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

func (l *lowerer) stringLit(pos token.Pos, s string) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(s)}
}

// define returns `name := x`.
func (l *lowerer) define(pos token.Pos, x ast.Expr, names ...string) ast.Stmt {
	s := &ast.AssignStmt{TokPos: pos, Tok: token.DEFINE, Rhs: []ast.Expr{x}}
	for _, n := range names {
		s.Lhs = append(s.Lhs, l.ident(pos, n))
	}
	return s
}

// assign returns `x = y`.
func (l *lowerer) assign(pos token.Pos, x, y ast.Expr) ast.Stmt {
	return &ast.AssignStmt{Lhs: []ast.Expr{x}, TokPos: pos, Tok: token.ASSIGN, Rhs: []ast.Expr{y}}
}

// variable returns `var name T = x`; x may be nil.
func (l *lowerer) variable(pos token.Pos, name string, t types.Type, x ast.Expr) ast.Stmt {
	spec := &ast.ValueSpec{Names: []*ast.Ident{l.ident(pos, name)}, Type: l.typeExpr(pos, t)}
	if x != nil {
		spec.Values = []ast.Expr{x}
	}
	return &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// typeOf returns the type of an expression of the cell.
func (l *lowerer) typeOf(e ast.Expr) types.Type { return l.info.TypeOf(e) }

// err joins what could not be lowered.
func (l *lowerer) err() error {
	var list []error
	for _, e := range l.errs {
		list = append(list, &Unsupported{At: e})
	}
	return errors.Join(list...)
}

// Unsupported is the error of code that is right but that the lowering has no form for.
type Unsupported struct{ At check.Error }

func (u *Unsupported) Error() string { return u.At.Pos.String() + ": " + u.At.Msg }
