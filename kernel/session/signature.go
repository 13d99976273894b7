package session

import (
	"go/types"
	"strings"
)

// funcDeclaration writes a function or method without its body, as go doc does.
func funcDeclaration(obj *types.Func, q types.Qualifier) string {
	sig := obj.Signature()
	text := "func "
	switch recv := sig.Recv(); {
	case recv != nil:
		text += "(" + receiver(recv, q) + ") "
	case obj.Pkg() != nil && q(obj.Pkg()) != "":
		text += q(obj.Pkg()) + "."
	}
	return text + obj.Name() + signature(sig, q)
}

// receiver writes the receiver of a method: its type, behind its name where it has one.
func receiver(v *types.Var, q types.Qualifier) string {
	if _, ok := v.Type().(*types.Interface); ok { // of an interface without a name
		return "interface"
	}
	text := types.TypeString(v.Type(), q)
	if v.Name() == "" || v.Name() == "_" {
		return text
	}
	return v.Name() + " " + text
}

// signature writes what stands behind the name of a function. Parameters in a row that have one type share it, which go/types
// does not do.
func signature(sig *types.Signature, q types.Qualifier) string {
	full := types.TypeString(sig, q)
	bare := types.TypeString(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()), q)
	const word = "func"
	typeParams := strings.TrimSuffix(full[len(word):], bare[len(word):])
	text := typeParams + "(" + variables(sig.Params(), sig.Variadic(), q) + ")"
	results := variables(sig.Results(), false, q)
	switch {
	case results == "":
		return text
	case sig.Results().Len() == 1 && sig.Results().At(0).Name() == "":
		return text + " " + results
	}
	return text + " (" + results + ")"
}

// variables writes parameters or results.
func variables(list *types.Tuple, variadic bool, q types.Qualifier) string {
	var b strings.Builder
	for i := range list.Len() {
		v := list.At(i)
		t := types.TypeString(v.Type(), q)
		last := i == list.Len()-1
		if slice, ok := v.Type().(*types.Slice); ok && last && variadic {
			t = "..." + types.TypeString(slice.Elem(), q)
		}
		shared := !last && v.Name() != "" && types.TypeString(list.At(i+1).Type(), q) == t && !(variadic && i+1 == list.Len()-1)
		switch {
		case v.Name() == "":
			b.WriteString(t)
		case shared:
			b.WriteString(v.Name())
		default:
			b.WriteString(v.Name() + " " + t)
		}
		if !last {
			b.WriteString(", ")
		}
	}
	return b.String()
}
