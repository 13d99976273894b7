package check

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
	"strconv"
)

// file returns a file with the cell's imports and those of the session's that the cell mentions, but for hidden names.
func (c *checker) file(hidden map[string]bool) *ast.File {
	f := &ast.File{Name: &ast.Ident{Name: Path}}
	at := token.NoPos
	taken := map[string]bool{}
	for _, spec := range c.cell.Cell.Imports {
		if name := c.localName(spec); !hidden[name] {
			addImport(f, spec)
			taken[name] = true
		}
		at = spec.Pos()
	}
	implicit := map[string]string{}
	for name := range c.names {
		b, ok := c.env.Lookup(name)
		if ok && b.Import != "" && !taken[name] && !c.own[name] && !hidden[name] {
			implicit[name] = b.Import
		}
	}
	rest := importFile(at, implicit, c.env.Dots)
	f.Decls = append(f.Decls, rest.Decls...)
	f.Imports = append(f.Imports, rest.Imports...)
	return f
}

// importFile returns a file of nothing but imports, by name and with a dot.
func importFile(at token.Pos, named map[string]string, dots []string) *ast.File {
	f := &ast.File{Name: &ast.Ident{Name: Path}}
	add := func(name, path string) {
		addImport(f, &ast.ImportSpec{
			Name: &ast.Ident{NamePos: at, Name: name},
			Path: &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: strconv.Quote(path)}})
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		add(name, named[name])
	}
	for _, path := range dots {
		add(".", path)
	}
	return f
}

func addImport(f *ast.File, spec *ast.ImportSpec) {
	f.Decls = append(f.Decls, &ast.GenDecl{TokPos: spec.Pos(), Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	f.Imports = append(f.Imports, spec)
}

// explicitImports notes what the cell's own imports bring.
func (c *checker) explicitImports() {
	for _, spec := range c.cell.Cell.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser has refused it
		}
		switch name := c.localName(spec); name {
		case "_", "":
		case ".":
			c.cell.Dots = append(c.cell.Dots, path)
		default:
			c.cell.Imports[name] = path
		}
	}
}

// localName is the name by which a file knows an import; empty where the package cannot be imported.
func (c *checker) localName(spec *ast.ImportSpec) string {
	if spec.Name != nil {
		return spec.Name.Name
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return ""
	}
	pkg, err := c.env.Importer.Import(path)
	if err != nil {
		return "" // pass 1 reports it
	}
	return pkg.Name()
}
