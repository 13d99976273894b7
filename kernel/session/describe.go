package session

import (
	"go/doc/comment"
	"go/types"
	"strconv"
	"strings"

	"orthant/kernel/session/internal/check"
	"orthant/stdlib/display"
	"orthant/stdlib/typeinfo"
)

// A description is what Inspect says of a name.
type description struct {
	decl    string // the declaration, without a body
	where   string // the cell that defined it
	value   string // of a variable
	doc     string // in the syntax of go/doc/comment
	methods string // of a type, one a line
	source  string
}

// describe describes an object. The owner is the type that declares it, if it is a field or method.
func (a *analysis) describe(obj types.Object, owner types.Type) description {
	if pkg, ok := obj.(*types.PkgName); ok {
		d, _ := describePackage(pkg.Imported().Path())
		return d
	}
	d := description{decl: declaration(obj)}
	if tn, ok := obj.(*types.TypeName); ok {
		d.methods = methodList(tn)
	}
	switch cell, mine := a.ofSession(obj); {
	case mine:
		d.where = "defined in " + cellName(cell)
		d.source, d.doc = a.session.sourceOf(obj, cell)
		d.value = a.session.valueText(obj)
	case obj == a.names["ctx"].object():
		d.doc = "The context of the running cell. It is cancelled when the cell is interrupted."
	case obj.Pkg() == nil:
		d.doc = typeinfo.Doc("builtin", obj.Name())
	case obj.Pkg().Path() == check.Path: // of the cell itself
		d.source, d.doc = declared(a.files, a.cell, obj.Pos())
		a.asRun(obj, &d)
	default:
		name := obj.Name()
		if owner := ownerName(obj, owner); owner != "" {
			name = owner + "." + name
		}
		d.doc = typeinfo.Doc(obj.Pkg().Path(), name)
	}
	return d
}

// asRun adds the value to the description of a variable that the cell defines at its top, if the session has one of this name
// and type: the cell has probably run already.
func (a *analysis) asRun(obj types.Object, d *description) {
	e := a.names[obj.Name()]
	if a.distance(obj) != ofCell || e.object() == nil || !types.Identical(e.obj.Type(), obj.Type()) {
		return
	}
	if d.value = a.session.valueText(e.obj); d.value != "" {
		d.where = "defined in " + cellName(e.cell)
	}
}

// object returns the object of an entry, nil where there is none.
func (e *entry) object() types.Object {
	if e == nil {
		return nil
	}
	return e.obj
}

// ownerName is the name of the type that declares a method, or of t, empty where it has none.
func ownerName(obj types.Object, t types.Type) string {
	if f, ok := obj.(*types.Func); ok && f.Signature().Recv() != nil {
		t = f.Signature().Recv().Type()
	}
	if t == nil {
		return ""
	}
	if n, ok := deref(t).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

func inspectPackage(path string) (display.Bundle, bool) {
	d, ok := describePackage(path)
	if !ok {
		return display.Bundle{}, false
	}
	return d.bundle(), true
}

// describePackage describes a package that can be imported.
func describePackage(path string) (description, bool) {
	if !typeinfo.Has(path) {
		return description{}, false
	}
	return description{
		decl: "package " + typeinfo.Name(path) + " // import " + strconv.Quote(path),
		doc:  typeinfo.Doc(path, ""),
	}, true
}

// bundle puts a description together.
func (d description) bundle() display.Bundle {
	var plain, markdown []string
	add := func(p, m string) {
		if p = strings.TrimSpace(p); p != "" {
			plain = append(plain, p)
			markdown = append(markdown, strings.TrimSpace(m))
		}
	}
	code := func(s string) string { return fenced("go", s) }
	add(d.decl, code(d.decl))
	add(d.where, d.where)
	add(d.value, fenced("", d.value))
	var parser comment.Parser
	doc := parser.Parse(d.doc)
	printer := comment.Printer{
		HeadingLevel: 4, // below those of the notebook
		HeadingID:    func(*comment.Heading) string { return "" },
		DocLinkURL:   func(l *comment.DocLink) string { return l.DefaultURL("https://pkg.go.dev") },
	}
	add(string(printer.Text(doc)), string(printer.Markdown(doc)))
	add(d.methods, code(d.methods))
	add(d.source, code(d.source))
	b := display.Text(strings.Join(plain, "\n\n"))
	b.Data["text/markdown"] = strings.Join(markdown, "\n\n")
	return b
}

// fenced writes a text as a code block of Markdown.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}
