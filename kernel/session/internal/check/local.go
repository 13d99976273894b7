package check

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"orthant/kernel/session/internal/split"
)

// A Local is what the name of a type that is declared in a function has besides its own, by which Go tells it from others.
type Local struct {
	Number int          // among the local types of the cell, in source order, from 1
	Args   []types.Type // the type arguments of the function around it, where that is an instance
}

// localTypes numbers the types that the functions and statements of a cell declare.
func localTypes(files *token.FileSet, syntax *split.Cell) map[*ast.Ident]int {
	var names []*ast.Ident
	collect := func(n ast.Node) bool {
		if s, ok := n.(*ast.TypeSpec); ok && !s.Assign.IsValid() {
			names = append(names, s.Name)
		}
		return true
	}
	for _, f := range syntax.Funcs {
		ast.Inspect(f, collect)
	}
	for _, s := range syntax.Body {
		ast.Inspect(s, collect)
	}
	if len(names) == 0 {
		return nil
	}
	slices.SortFunc(names, func(a, b *ast.Ident) int {
		p, q := files.Position(a.Pos()), files.Position(b.Pos())
		return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
	})
	numbers := map[*ast.Ident]int{}
	for i, n := range names {
		numbers[n] = i + 1
	}
	return numbers
}

// noteLocals notes the local types that checked code defines.
func (c *checker) noteLocals(numbers map[*ast.Ident]int, info *types.Info, args []types.Type) {
	for id, number := range numbers {
		if tn, ok := info.Defs[id].(*types.TypeName); ok {
			c.cell.Locals[tn] = Local{number, args}
		}
	}
}
