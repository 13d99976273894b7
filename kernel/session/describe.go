package session

import (
	"cmp"
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
	decl    string                 // the declaration, without a body
	where   string                 // the cell that defined it
	value   string                 // of a variable
	doc     string                 // in the syntax of go/doc/comment
	members []string               // sentences about the fields of a struct or the methods of an interface, each of which begins with a name
	path    string                 // of the package that the names in doc are of; empty for the session
	known   func(name string) bool // whether the session knows a name; nil where it is a package's doc
	methods string                 // of a type, one a line
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
		d.where, d.known = "defined in "+CellName(cell), a.known
		d.source, d.doc = a.session.sourceOf(obj, cell)
		d.value = a.session.valueText(obj)
	case obj == a.names["ctx"].object():
		d.doc = "The context of the running cell. It is cancelled when the cell is interrupted."
	case obj.Pkg() == nil:
		d.path = "builtin"
		d.doc = typeinfo.Doc(d.path, obj.Name())
	case obj.Pkg().Path() == check.Path: // of the cell itself
		d.source, d.doc = declared(a.files, a.cell, obj.Pos())
		d.known = a.known
		a.asRun(obj, &d)
	default:
		d.path = obj.Pkg().Path()
		d.doc = typeinfo.Doc(d.path, qualified(obj, owner))
	}
	if tn, ok := obj.(*types.TypeName); ok && !tn.IsAlias() {
		d.members = memberDocs(tn, func(member types.Object) string { return a.memberDoc(obj, member) })
	}
	return d
}

// memberDoc returns the documentation of a field of a struct or a method of an interface.
func (a *analysis) memberDoc(owner, member types.Object) string {
	if cell, mine := a.ofSession(owner); mine {
		_, doc := a.session.sourceOf(member, cell)
		return doc
	}
	switch {
	case owner.Pkg() == nil:
		return ""
	case owner.Pkg().Path() == check.Path:
		_, doc := declared(a.files, a.cell, member.Pos())
		return doc
	}
	return typeinfo.Doc(owner.Pkg().Path(), owner.Name()+"."+member.Name())
}

// known says whether the session or the cell has a name.
func (a *analysis) known(name string) bool {
	for id, obj := range a.info.Defs {
		if id.Name == name && obj != nil {
			return true
		}
	}
	return a.names[name].object() != nil
}

// asRun adds the value to the description of a variable that the cell defines at its top, if the session has one of this name
// and type: the cell has probably run already.
func (a *analysis) asRun(obj types.Object, d *description) {
	e := a.names[obj.Name()]
	if a.distance(obj) != ofCell || e.object() == nil || !types.Identical(e.obj.Type(), obj.Type()) {
		return
	}
	if d.value = a.session.valueText(e.obj); d.value != "" {
		d.where = "defined in " + CellName(e.cell)
	}
}

// object returns the object of an entry, nil where there is none.
func (e *entry) object() types.Object {
	if e == nil {
		return nil
	}
	return e.obj
}

// qualified returns the name by which documentation knows an object of a package, whose field or method it is or not.
func qualified(obj types.Object, owner types.Type) string {
	if name := ownerName(obj, owner); name != "" {
		return name + "." + obj.Name()
	}
	if v, ok := obj.(*types.Var); ok && v.IsField() { // of a struct without a name, as a plot's title is one
		for _, name := range v.Pkg().Scope().Names() {
			if tn, ok := v.Pkg().Scope().Lookup(name).(*types.TypeName); ok {
				if path := pathTo(v, tn.Type().Underlying()); path != "" {
					return name + "." + path
				}
			}
		}
	}
	return obj.Name()
}

// pathTo returns the names that lead from a type to a field of a struct without a name; empty where none do.
func pathTo(field *types.Var, t types.Type) string {
	switch t := t.(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if f == field {
				return f.Name()
			}
			if path := pathTo(field, f.Type()); path != "" {
				return f.Name() + "." + path
			}
		}
	case interface{ Elem() types.Type }:
		return pathTo(field, t.Elem())
	}
	return ""
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
		path: path,
	}, true
}

// bundle puts a description together.
func (d description) bundle() display.Bundle {
	var plain, markdown []string
	add := func(p, m string) {
		if strings.TrimSpace(p) != "" {
			plain = append(plain, strings.Trim(p, "\n")) // blanks at the beginning are those of a list, or of code
			markdown = append(markdown, strings.Trim(m, "\n"))
		}
	}
	code := func(s string) string { return fenced("go", s) }
	add(d.decl, code(d.decl))
	add(d.where, d.where)
	add(d.value, labelled(d.value))
	doc, printer := d.documentation()
	add(string(printer.Text(doc)), string(printer.Markdown(doc)))
	add(d.methods, code(d.methods))
	add(d.source, code(d.source))
	b := display.Text(strings.Join(plain, "\n\n"))
	b.Data["text/markdown"] = strings.Join(markdown, "\n\n")
	return b
}

// documentation parses the documentation, with a list of the members at its end. Names in brackets that there are lose these;
// those of packages that others can read about become links in Markdown.
func (d description) documentation() (*comment.Doc, *comment.Printer) {
	parser := comment.Parser{
		LookupPackage: func(name string) (path string, ok bool) {
			if path, ok := comment.DefaultLookupPackage(name); ok {
				return path, ok
			}
			if paths := typeinfo.ByName(name); len(paths) == 1 {
				return paths[0], true
			}
			return "", false
		},
		LookupSym: func(recv, name string) bool {
			if d.known != nil {
				return d.known(cmp.Or(recv, name))
			}
			if recv != "" {
				name = recv + "." + name
			}
			return typeinfo.Doc(d.path, name) != ""
		},
	}
	printer := &comment.Printer{
		HeadingLevel: 4, // below those of the notebook
		HeadingID:    func(*comment.Heading) string { return "" },
		DocLinkURL: func(l *comment.DocLink) string {
			link := *l
			link.ImportPath = cmp.Or(link.ImportPath, d.path)
			if own, _, _ := strings.Cut(link.ImportPath, "/"); own == "" || own == "orthant" {
				return ""
			}
			return link.DefaultURL("https://pkg.go.dev")
		},
	}
	doc := parser.Parse(d.doc)
	list := &comment.List{}
	for _, sentence := range d.members {
		paragraph := parser.Parse(sentence).Content // as nothing else begins with a name
		list.Items = append(list.Items, &comment.ListItem{Content: paragraph})
	}
	if len(list.Items) > 0 {
		doc.Content = append(doc.Content, list)
	}
	return doc, printer
}

// labelled writes a value as a code block of Markdown, one of several lines below its label.
func labelled(value string) string {
	if label, rest, ok := strings.Cut(value, ":\n"); ok {
		return label + ":\n\n" + fenced("", rest)
	}
	return fenced("", value)
}

// fenced writes a text as a code block of Markdown.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + "\n" + fence
}
