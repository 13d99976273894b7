package session

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"orthant/kernel/session/internal/check"
	"orthant/kernel/session/internal/split"
	"orthant/stdlib/display"
	"orthant/stdlib/typeinfo"
)

// Inspect describes the name at byte offset pos of source, as text/plain and text/markdown: its declaration and
// documentation, for a name of the session its cell. Detail 1 adds the source of a function or type of the session. The
// second result is false where there is nothing to describe.
func (s *Session) Inspect(source string, pos, detail int) (display.Bundle, bool) {
	pos = max(0, min(pos, len(source)))
	end := pos
	for end < len(source) {
		r, size := utf8.DecodeRuneInString(source[end:])
		if !isIdentRune(r) {
			break
		}
		end += size
	}
	name := identBefore(source[:end])
	if name == "" { // the cursor behind an opening parenthesis asks for what is called
		open := strings.TrimRight(source[:pos], " \t")
		if !strings.HasSuffix(open, "(") {
			return display.Bundle{}, false
		}
		end = len(open) - 1
		if name = identBefore(source[:end]); name == "" {
			return display.Bundle{}, false
		}
	}
	before := source[:end-len(name)]
	if base, found := strings.CutSuffix(before, "."); found {
		operand := operandBefore(base)
		return s.inspectMember(base[:len(base)-len(operand)], operand, name)
	}
	return s.inspectName(before, name, detail)
}

// inspectMember describes operand.name.
func (s *Session) inspectMember(head, operand, name string) (display.Bundle, bool) {
	if pkg := s.packageNamed(head, operand); pkg != nil {
		obj := pkg.Scope().Lookup(name)
		if obj == nil || !obj.Exported() {
			return display.Bundle{}, false
		}
		return described(declaration(obj), "", typeinfo.Doc(pkg.Path(), name), ""), true
	}
	t := s.typeOf(head, operand)
	if t == nil {
		return display.Bundle{}, false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, s.pkg, name)
	if obj == nil {
		return display.Bundle{}, false
	}
	doc := ""
	if obj.Pkg() != nil && obj.Pkg() != s.pkg {
		if owner := ownerName(obj, t); owner != "" {
			doc = typeinfo.Doc(obj.Pkg().Path(), owner+"."+name)
		}
	}
	return described(declaration(obj), "", doc, ""), true
}

// ownerName is the name of the type that declares a method, or, for a field, of the value's type.
func ownerName(obj types.Object, t types.Type) string {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		t = f.Signature().Recv().Type()
	}
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// inspectName describes a name that stands alone.
func (s *Session) inspectName(head, name string, detail int) (display.Bundle, bool) {
	if pkg := s.packageNamed(head, name); pkg != nil {
		return described("package "+pkg.Name()+" // import "+strconv.Quote(pkg.Path()), "", typeinfo.Doc(pkg.Path(), ""), ""), true
	}
	s.mu.Lock()
	e := s.names[name]
	s.mu.Unlock()
	if e != nil && e.obj != nil {
		where := ""
		if e.cell != 0 {
			where = "defined in " + cellName(e.cell)
		}
		source, doc := s.sourceOf(name, e)
		if detail == 0 {
			source = ""
		}
		if e.cell == 0 {
			doc = "The context of the running cell. It is cancelled when the cell is interrupted."
		}
		return described(declaration(e.obj), where, doc, source), true
	}
	if obj := types.Universe.Lookup(name); obj != nil {
		return described(declaration(obj), "", typeinfo.Doc("builtin", name), ""), true
	}
	return display.Bundle{}, false
}

// declaration writes an object as Go declares it.
func declaration(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Builtin:
		return "func " + obj.Name()
	case *types.Var:
		if obj.IsField() {
			return "field " + obj.Name() + " " + typeString(obj.Type())
		}
	}
	return types.ObjectString(obj, qualifier)
}

// described puts a description together.
func described(decl, where, doc, source string) display.Bundle {
	doc = strings.TrimSpace(doc)
	var plain, markdown []string
	add := func(p, m string) {
		plain = append(plain, p)
		markdown = append(markdown, m)
	}
	code := func(s string) string { return "```go\n" + s + "\n```" }
	add(decl, code(decl))
	if where != "" {
		add(where, where)
	}
	if doc != "" {
		add(doc, doc)
	}
	if source != "" {
		add(source, code(source))
	}
	b := display.Text(strings.Join(plain, "\n\n"))
	b.Data["text/markdown"] = strings.Join(markdown, "\n\n")
	return b
}

// sourceOf returns the source and the doc comment of a function or type that a cell declared.
func (s *Session) sourceOf(name string, e *entry) (source, doc string) {
	s.mu.Lock()
	text, ok := s.sources[e.cell]
	s.mu.Unlock()
	if !ok || e.obj.Pkg() == nil || e.obj.Pkg().Path() != check.Path {
		return "", ""
	}
	fset := token.NewFileSet()
	cell, errs := split.Parse(fset, e.cell, text)
	if len(errs) > 0 {
		return "", "" // the cell was run again since with other text
	}
	cut := func(n ast.Node) string { return cell.Text(fset, n) }
	for _, f := range cell.Funcs {
		if f.Recv == nil && f.Name.Name == name {
			return cut(f), f.Doc.Text()
		}
	}
	for _, d := range cell.Decls {
		for _, spec := range d.Specs {
			if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
				doc := t.Doc.Text()
				if doc == "" {
					doc = d.Doc.Text()
				}
				return "type " + cut(t), doc
			}
		}
	}
	return "", ""
}
