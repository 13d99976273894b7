package lower

import (
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// typeName is the name by which reflection knows a type, as the compiler writes it: main.List[main.T]. The engine would
// write the type out (engine.md 2c).
func (w *World) typeName(t types.Type) string {
	n := namer{w: w}
	n.typ(t)
	return n.String()
}

// unqualifiedName is the name of a declared type, with its type arguments, without the package.
func (w *World) unqualifiedName(t *types.Named) string {
	return w.typeName(t)[len(t.Obj().Pkg().Name())+1:]
}

// A namer writes the name of a type. In lists of type arguments the compiler writes types as its linker knows them: packages
// by their paths, local types with their numbers, fields that are not exported with their package.
type namer struct {
	strings.Builder
	w      *World
	linker bool
}

func (n *namer) typ(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		n.basic(t)
	case *types.Named:
		n.named(t)
	case *types.Pointer:
		n.WriteString("*")
		n.typ(t.Elem())
	case *types.Slice:
		n.WriteString("[]")
		n.typ(t.Elem())
	case *types.Array:
		n.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		n.typ(t.Elem())
	case *types.Map:
		n.WriteString("map[")
		n.typ(t.Key())
		n.WriteString("]")
		n.typ(t.Elem())
	case *types.Chan:
		n.channel(t)
	case *types.Signature:
		n.WriteString("func")
		n.signature(t)
	case *types.Struct:
		n.structure(t)
	case *types.Interface:
		n.iface(t)
	}
}

func (n *namer) basic(t *types.Basic) {
	switch t.Kind() {
	case types.UnsafePointer:
		n.WriteString("unsafe.Pointer")
	default: // byte and rune are names of other types
		n.WriteString(types.Typ[types.Default(t).(*types.Basic).Kind()].Name())
	}
}

func (n *namer) named(t *types.Named) {
	tn := t.Obj()
	n.qualify(tn.Pkg())
	name, _, _ := strings.Cut(tn.Name(), " ") // of one that a later cell replaced check says so in the name
	n.WriteString(name)
	local := n.w.locals[t.Origin().Obj()]
	if len(local.Args)+t.TypeArgs().Len() > 0 {
		outer := n.linker
		n.linker = true
		n.WriteString("[")
		for i, a := range local.Args {
			if i > 0 {
				n.WriteString(",")
			}
			n.typ(a)
		}
		for i := range t.TypeArgs().Len() {
			switch {
			case i > 0:
				n.WriteString(",")
			case len(local.Args) > 0:
				n.WriteString(";")
			}
			n.typ(t.TypeArgs().At(i))
		}
		n.WriteString("]")
		n.linker = outer
	}
	if n.linker && local.Number > 0 {
		n.WriteString("·" + strconv.Itoa(local.Number))
	}
}

// qualify writes a package and a dot; nothing for what is predeclared.
func (n *namer) qualify(p *types.Package) {
	switch {
	case p == nil:
	case n.linker:
		n.WriteString(p.Path() + ".")
	default:
		n.WriteString(p.Name() + ".")
	}
}

func (n *namer) channel(t *types.Chan) {
	switch t.Dir() {
	case types.SendOnly:
		n.WriteString("chan<- ")
	case types.RecvOnly:
		n.WriteString("<-chan ")
	default:
		n.WriteString("chan ")
		if e, ok := types.Unalias(t.Elem()).(*types.Chan); ok && e.Dir() == types.RecvOnly {
			n.WriteString("(")
			defer n.WriteString(")")
		}
	}
	n.typ(t.Elem())
}

func (n *namer) signature(t *types.Signature) {
	n.WriteString("(")
	for i := range t.Params().Len() {
		if i > 0 {
			n.WriteString(", ")
		}
		p := t.Params().At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			n.WriteString("...")
			p = s.Elem()
		}
		n.typ(p)
	}
	n.WriteString(")")
	switch t.Results().Len() {
	case 0:
	case 1:
		n.WriteString(" ")
		n.typ(t.Results().At(0).Type())
	default:
		n.WriteString(" (")
		for i := range t.Results().Len() {
			if i > 0 {
				n.WriteString(", ")
			}
			n.typ(t.Results().At(i).Type())
		}
		n.WriteString(")")
	}
}

func (n *namer) structure(t *types.Struct) {
	n.WriteString("struct {")
	for i := range t.NumFields() {
		f := t.Field(i)
		if i > 0 {
			n.WriteString(";")
		}
		n.WriteString(" ")
		if !f.Embedded() {
			if n.linker && !token.IsExported(f.Name()) {
				n.qualify(f.Pkg())
			}
			n.WriteString(f.Name() + " ")
		}
		n.typ(f.Type())
		if t.Tag(i) != "" {
			n.WriteString(" " + strconv.Quote(t.Tag(i)))
		}
	}
	if t.NumFields() > 0 {
		n.WriteString(" ")
	}
	n.WriteString("}")
}

func (n *namer) iface(t *types.Interface) {
	n.WriteString("interface {")
	for i := range t.NumMethods() {
		m := t.Method(i)
		if i > 0 {
			n.WriteString(";")
		}
		n.WriteString(" ")
		if !token.IsExported(m.Name()) {
			n.qualify(m.Pkg())
		}
		n.WriteString(m.Name())
		n.signature(m.Signature())
	}
	if t.NumMethods() > 0 {
		n.WriteString(" ")
	}
	n.WriteString("}")
}
