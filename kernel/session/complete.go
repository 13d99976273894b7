package session

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"orthant/stdlib/typeinfo"
)

// A Completion is a set of texts each of which may replace source[Start:End]; the offsets are in bytes.
type Completion struct {
	Start, End int
	Matches    []Match
}

// A Match is one completion.
type Match struct {
	Text      string // what replaces the range: the whole selector, "fmt.Println"
	Kind      string // function, method, type, constant, variable, field, package or keyword
	Signature string // its type as Go writes it; empty for packages and keywords
}

// Complete returns the completions at byte offset pos of source: members of what stands before a dot, import paths inside
// an import's string, names and keywords elsewhere. Names that begin with what is typed come alone; only where there is
// none, those that begin with it in other case, or else contain its letters in order.
func (s *Session) Complete(source string, pos int) Completion {
	pos = max(0, min(pos, len(source)))
	none := Completion{Start: pos, End: pos}
	if start, typed, ok := importString(source[:pos]); ok {
		var all []Match
		for _, p := range typeinfo.Paths() {
			all = append(all, Match{Text: p, Kind: "package"})
		}
		return choose(start, pos, "", typed, all)
	}
	name := identBefore(source[:pos])
	before := source[:pos-len(name)]
	if !strings.HasSuffix(before, ".") {
		if r, _ := utf8.DecodeRuneInString(name); name != "" && !unicode.IsLetter(r) && r != '_' {
			return none // a number
		}
		return choose(pos-len(name), pos, "", name, s.scopeNames(source, pos))
	}
	base := operandBefore(before[:len(before)-1])
	if base == "" {
		return none
	}
	head := source[:len(before)-1-len(base)]
	return choose(len(head), pos, base+".", name, s.members(head, base))
}

// choose keeps the matches for what is typed and puts head in front of each.
func choose(start, end int, head, typed string, all []Match) Completion {
	c := Completion{Start: start, End: end}
	for _, fits := range []func(name string) bool{
		func(name string) bool { return strings.HasPrefix(name, typed) },
		func(name string) bool {
			return len(name) >= len(typed) && strings.EqualFold(name[:len(typed)], typed)
		},
		func(name string) bool { return subsequence(strings.ToLower(typed), strings.ToLower(name)) },
	} {
		for _, m := range all {
			if fits(m.Text) {
				m.Text = head + m.Text
				c.Matches = append(c.Matches, m)
			}
		}
		if len(c.Matches) > 0 {
			break
		}
	}
	if len(c.Matches) == 0 {
		c.Start = end
	}
	slices.SortFunc(c.Matches, func(a, b Match) int { return cmp.Compare(a.Text, b.Text) })
	c.Matches = slices.CompactFunc(c.Matches, func(a, b Match) bool { return a.Text == b.Text })
	return c
}

// subsequence reports whether the letters of typed occur in name in this order.
func subsequence(typed, name string) bool {
	for _, r := range name {
		if typed == "" {
			return true
		}
		if first, size := utf8.DecodeRuneInString(typed); r == first {
			typed = typed[size:]
		}
	}
	return typed == ""
}

// scopeNames returns the names that may stand at pos: of the session, of the cell itself, Go's own, and keywords.
func (s *Session) scopeNames(source string, pos int) []Match {
	var out []Match
	s.mu.Lock()
	for name, e := range s.names {
		if e.obj == nil {
			out = append(out, Match{Text: name, Kind: "package"})
		} else {
			out = append(out, Match{name, kindOf(e.obj), typeString(e.obj.Type())})
		}
	}
	s.mu.Unlock()
	for _, name := range types.Universe.Names() {
		obj := types.Universe.Lookup(name)
		m := Match{Text: name, Kind: kindOf(obj)}
		if _, builtin := obj.(*types.Builtin); !builtin && obj.Type() != nil {
			m.Signature = typeString(obj.Type())
		}
		out = append(out, m)
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		out = append(out, Match{Text: t.String(), Kind: "keyword"})
	}
	typed := identBefore(source[:pos])
	for name := range definedNames(source) {
		if name != typed { // most likely the name being typed
			out = append(out, Match{Text: name, Kind: "variable"})
		}
	}
	return out
}

// members returns what may follow base and a dot: the names of a package, or the fields and methods of a value.
// head is the cell's text before base.
func (s *Session) members(head, base string) []Match {
	var out []Match
	if pkg := s.packageNamed(head, base); pkg != nil {
		for _, name := range pkg.Scope().Names() {
			if obj := pkg.Scope().Lookup(name); obj.Exported() {
				out = append(out, Match{name, kindOf(obj), typeString(obj.Type())})
			}
		}
		return out
	}
	t := s.typeOf(head, base)
	if t == nil {
		return nil
	}
	for _, obj := range fieldsAndMethods(t) {
		if obj.Exported() || obj.Pkg() == s.pkg {
			out = append(out, Match{obj.Name(), kindOf(obj), typeString(obj.Type())})
		}
	}
	return out
}

// packageNamed returns the package that a name means after head, nil where it means none.
func (s *Session) packageNamed(head, name string) *types.Package {
	path := importedIn(head)[name]
	if path == "" {
		s.mu.Lock()
		e := s.names[name]
		s.mu.Unlock()
		if e == nil || e.path == "" {
			return nil
		}
		path = e.path
	}
	pkg, err := s.importer.Import(path)
	if err != nil {
		return nil // the import itself is reported when the cell runs
	}
	return pkg
}

// fieldsAndMethods returns the fields and methods that can be selected from a value of type t, the embedded ones too, each
// name once.
func fieldsAndMethods(t types.Type) []types.Object {
	found := map[string]types.Object{}
	seen := map[types.Type]bool{}
	level := []types.Type{t}
	for len(level) > 0 { // by depth, so that an outer name hides an inner one
		var next []types.Type
		for _, t := range level {
			if p, ok := types.Unalias(t).Underlying().(*types.Pointer); ok {
				t = p.Elem()
			}
			if seen[t] {
				continue
			}
			seen[t] = true
			s, ok := t.Underlying().(*types.Struct)
			for i := 0; ok && i < s.NumFields(); i++ {
				f := s.Field(i)
				if _, hidden := found[f.Name()]; !hidden {
					found[f.Name()] = f
				}
				if f.Embedded() {
					next = append(next, f.Type())
				}
			}
		}
		level = next
	}
	methods := t
	if _, isPointer := types.Unalias(t).(*types.Pointer); !isPointer && !types.IsInterface(t) {
		methods = types.NewPointer(t) // a variable's address can be taken
	}
	for sel := range types.NewMethodSet(methods).Methods() {
		if _, hidden := found[sel.Obj().Name()]; !hidden {
			found[sel.Obj().Name()] = sel.Obj()
		}
	}
	return slices.Collect(maps.Values(found))
}
