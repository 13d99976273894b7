package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"orthant/kernel/session/internal/split"
)

// A Cell is a checked cell.
type Cell struct {
	*split.Cell
	Env     Env
	Info    *types.Info
	Imports map[string]string // what the cell's own imports bring: local name to import path
	Dots    []string          // import paths that the cell imports with a dot
	Types   []*types.TypeName // types the cell declares and that are new, in source order
	Consts  []*types.Const    // constants, in source order
	Funcs   []*Func           // functions and methods, in source order
	Vars    []*Var            // variables that the statements define, in source order
	Result  ast.Expr          // the expression of the last statement, or nil
	Nil     bool              // the last expression is the predeclared nil, which has no type

	Rebuilt      map[*types.Func]*Generic    // what of the session's generic functions the cell changes, with its types
	Generics     map[*types.Func]*Generic    // the generic functions and methods that the cell declares
	Replaces     map[*types.Func]*types.Func // generic functions declared again with the old signature, and the old ones
	Instances    []*Instance                 // instances of generic functions and methods that are new
	Instantiated []*types.Named              // instances of generic types that are new
	Locals       map[*types.TypeName]Local   // the types that functions and blocks declare

	Later map[string]bool // the names that occur in what follows, where the text is a part of a cell; set by the session

	Undo func() // gives replaced types their names back; for a cell that does not come to run
}

// A Func is a function or method that a cell declares.
type Func struct {
	Decl    *ast.FuncDecl
	Object  *types.Func     // with a receiver for methods
	Recv    *types.TypeName // the receiver's type; nil for functions
	Generic bool            // it, or its receiver's type, has type parameters
}

// Name returns the function's name, behind that of the receiver's type and a dot where it is a method.
func (f *Func) Name() string {
	if f.Recv != nil {
		return f.Recv.Name() + "." + f.Object.Name()
	}
	return f.Object.Name()
}

// A Var is a variable that a statement of the cell defines for the session.
type Var struct {
	Local  *types.Var // as the statements see it
	Object *types.Var // as the cell's functions and later cells see it
	Stmt   int        // index in Body of the statement that defines it
}

// Check checks a parsed cell. It returns either the checked cell or at least one error.
func Check(env Env, syntax *split.Cell) (*Cell, []Error) {
	syntax = ordered(env, syntax)
	c := newChecker(env, syntax)
	if !c.noEmbedding() || !c.settleTypes() {
		return nil, c.diagnostics()
	}
	undo := c.supersede()
	c.wrapResult(false)
	again := c.try()
	if again {
		// The last expression is a conversion or a call of a builtin, which only the check itself could tell.
		c = newChecker(c.env, syntax)
		c.settleTypes()
		c.wrapResult(true)
		c.try()
	}
	if len(c.errs) > 0 {
		list := c.diagnostics()
		undo()
		return nil, list
	}
	c.cell.Undo = undo
	return c.cell, nil
}

// A checker is the state of one check.
type checker struct {
	env   Env
	cell  *Cell
	names map[string]bool // every identifier in the cell
	own   map[string]bool // names that the cell declares as types, constants or functions

	kept map[string]*types.TypeName // types declared again as they were
	late map[*ast.FuncDecl]*types.TypeName

	body   []ast.Stmt // the statements as they are checked
	last   *ast.ExprStmt
	tops   map[token.Pos]bool
	unused bool // the last expression was refused as not used
	errs   []types.Error
}

func newChecker(env Env, syntax *split.Cell) *checker {
	c := &checker{
		env: env,
		cell: &Cell{Cell: syntax, Env: env, Imports: map[string]string{},
			Generics: map[*types.Func]*Generic{}, Replaces: map[*types.Func]*types.Func{}, Locals: map[*types.TypeName]Local{}},
		names: map[string]bool{},
		own:   map[string]bool{},
		kept:  map[string]*types.TypeName{},
		late:  map[*ast.FuncDecl]*types.TypeName{},
	}
	c.cell.Info = newInfo()
	note := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			c.names[id.Name] = true
		}
		return true
	}
	for _, d := range syntax.Decls {
		ast.Inspect(d, note)
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				c.own[s.Name.Name] = true
			case *ast.ValueSpec:
				for _, n := range s.Names {
					c.own[n.Name] = true
				}
			}
		}
	}
	for _, f := range syntax.Funcs {
		ast.Inspect(f, note)
		if f.Recv == nil {
			c.own[f.Name.Name] = true
		}
	}
	for _, s := range syntax.Body {
		ast.Inspect(s, note)
	}
	delete(c.own, "_")
	return c
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
}

// config returns a go/types configuration that collects errors through c.report.
func (c *checker) config(report func(types.Error)) *types.Config {
	return &types.Config{
		GoVersion: goVersion,
		Importer:  c.env.Importer,
		Sizes:     sizes,
		Error:     func(err error) { report(err.(types.Error)) },
	}
}

// wrapResult finds the last expression and keeps go/types from refusing it as not used: by assigning it to the blank
// identifier, unless it is a call, which may have no value. With force a call is wrapped too.
func (c *checker) wrapResult(force bool) {
	c.body = slices.Clone(c.cell.Body)
	if len(c.body) == 0 {
		return
	}
	es, ok := c.body[len(c.body)-1].(*ast.ExprStmt)
	if !ok {
		return
	}
	c.last = es
	c.cell.Result = es.X
	if _, call := ast.Unparen(es.X).(*ast.CallExpr); call && !force {
		return
	}
	if c.isNil(es.X) { // has no type to assign; the session shows it by itself
		c.cell.Nil = true
		c.body[len(c.body)-1] = &ast.EmptyStmt{Semicolon: es.Pos()}
		return
	}
	c.body[len(c.body)-1] = &ast.AssignStmt{
		Lhs: []ast.Expr{&ast.Ident{NamePos: es.Pos(), Name: "_"}}, TokPos: es.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{es.X}}
}

// isNil reports whether e is the predeclared nil.
func (c *checker) isNil(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || id.Name != "nil" || c.own["nil"] {
		return false
	}
	_, shadowed := c.env.Lookup("nil")
	return !shadowed
}

// try runs the three passes. It reports whether the last expression must be wrapped and the check run again.
func (c *checker) try() (again bool) {
	if !c.declare() {
		return false
	}
	c.statements()
	if c.unused {
		return true
	}
	c.collectVars()
	c.bodies()
	c.dropUnused()
	if len(c.errs) == 0 {
		c.noteLocals(localTypes(c.env.Files, c.cell.Cell), c.cell.Info, nil)
		c.instances()
	}
	return false
}
