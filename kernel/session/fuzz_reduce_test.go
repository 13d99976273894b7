package session_test

import (
	"bytes"
	"context"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"orthant/stdlib/typeinfo"
)

// maxRounds bounds how often a program is made smaller. A round costs a build and a play of each candidate.
const maxRounds = 40

// reduce makes a failing program smaller for as long as it fails in the same way: it drops declarations and statements,
// puts the body of a statement in its place, and a part of an expression in the place of the whole. Each round tries the
// maxBatch candidates that lack the most, then those of them together that still fail.
func reduce(ctx context.Context, t testing.TB, c differentialCase, v verdict) (differentialCase, error) {
	skip := 0 // candidates that were tried on this program
	for range maxRounds {
		list, err := candidates(c.source)
		if err != nil || skip >= len(list) || ctx.Err() != nil {
			return c, err
		}
		list = list[skip:min(len(list), skip+maxBatch)]
		failing, smaller, err := stillFailing(ctx, t, c.name, list, v)
		if err != nil {
			return c, err
		}
		if len(failing) == 0 {
			skip += len(list)
			continue
		}
		skip = 0
		together := unions(c.source, failing)
		c = smaller[0]
		if len(together) == 0 {
			continue
		}
		_, smaller, err = stillFailing(ctx, t, c.name, together, v)
		if err != nil {
			return c, err
		}
		if len(smaller) > 0 && len(smaller[0].source) < len(c.source) {
			c = smaller[0]
		}
	}
	return c, nil
}

// stillFailing returns those of some programs that fail as v says, in their order.
func stillFailing(ctx context.Context, t testing.TB, name string, list []candidate, v verdict) ([]candidate, []differentialCase, error) {
	var sources []string
	for _, c := range list {
		sources = append(sources, c.source)
	}
	outcomes, err := compiled(ctx, t, sources)
	if err != nil {
		return nil, nil, err
	}
	cases := make([]differentialCase, len(list))
	for i, source := range sources {
		cases[i] = differentialCase{name: name, source: source, want: outcomes[i]}
	}
	verdicts, err := judgeAll(ctx, t, cases)
	if err != nil {
		return nil, nil, err
	}
	var failing []candidate
	var failed []differentialCase
	for i, w := range verdicts {
		if w.form == v.form && w.kind() == v.kind() && !cases[i].want.panics && cases[i].want.broken == "" {
			failing, failed = append(failing, list[i]), append(failed, cases[i])
		}
	}
	return failing, failed, nil
}

// A candidate is a program and the edit of a larger one that makes it.
type candidate struct {
	source string
	edit   edit
}

// unions returns the programs that several edits together make of a source: all of them, the halves, the quarters...; the
// smallest first. Of edits that overlap the first counts.
func unions(source string, list []candidate) []candidate {
	var out []candidate
	for size := len(list); size > 1; size = (size + 1) / 2 {
		for part := range slices.Chunk(list, size) {
			var edits []edit
			for _, c := range part {
				if !slices.ContainsFunc(edits, c.edit.overlaps) {
					edits = append(edits, c.edit)
				}
			}
			slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
			text := source
			for _, e := range edits {
				text = e.apply(text)
			}
			if text, ok := wellTyped(text); ok && len(out) < maxBatch {
				out = append(out, candidate{source: text})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return len(a.source) - len(b.source) })
	return out
}

// An edit puts text in the place of a part of a source.
type edit struct {
	start, end int
	text       string
}

func (e edit) apply(source string) string { return source[:e.start] + e.text + source[e.end:] }

func (e edit) overlaps(f edit) bool { return e.start < f.end && f.start < e.end }

// candidates returns the well-typed programs that one edit makes smaller, the smallest first.
func candidates(source string) ([]candidate, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	importer := typeinfo.Importer(fset)
	if _, err := (&types.Config{Importer: importer}).Check("main", fset, []*ast.File{file}, info); err != nil {
		return nil, err
	}
	var out []candidate
	seen := map[string]bool{}
	for _, e := range edits(fset, file, info, source) {
		if text, ok := wellTyped(e.apply(source)); ok && len(text) < len(source) && !seen[text] {
			seen[text] = true
			out = append(out, candidate{text, e})
		}
	}
	slices.SortStableFunc(out, func(a, b candidate) int { return len(a.source) - len(b.source) })
	return out, nil
}

// edits returns what could be done to a program, whether or not the result is one.
func edits(fset *token.FileSet, file *ast.File, info *types.Info, source string) []edit {
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	var out []edit
	replace := func(n ast.Node, by string) { out = append(out, edit{offset(n.Pos()), offset(n.End()), by}) }
	text := func(n ast.Node) string { return source[offset(n.Pos()):offset(n.End())] }
	inner := func(b *ast.BlockStmt) string { return source[offset(b.Lbrace)+1 : offset(b.Rbrace)] }
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); !ok || f.Name.Name != "main" {
			replace(d, "")
		}
	}
	// A variable goes only together with the statement that uses it, which often is the next one.
	drop := func(list []ast.Stmt) {
		for i, s := range list {
			replace(s, "")
			if i > 0 {
				out = append(out, edit{offset(list[i-1].Pos()), offset(s.End()), ""})
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			drop(n.List)
		case *ast.CaseClause:
			replace(n, "")
			drop(n.Body)
		case *ast.CommClause:
			replace(n, "")
			drop(n.Body)
		case *ast.IfStmt:
			replace(n, inner(n.Body))
		case *ast.ForStmt:
			replace(n, inner(n.Body))
		case *ast.RangeStmt:
			replace(n, inner(n.Body))
		}
		if e, ok := n.(ast.Expr); ok && info.Types[e].IsValue() {
			for _, part := range parts(e) {
				if types.Identical(info.Types[part].Type, info.Types[e].Type) {
					replace(e, text(part))
				}
			}
		}
		if lit, ok := n.(*ast.CompositeLit); ok && len(lit.Elts) > 0 {
			replace(lit, text(lit.Type)+"{}")
		}
		return true
	})
	return out
}

// parts returns the expressions within an expression, but for those within function literals.
func parts(e ast.Expr) []ast.Expr {
	var out []ast.Expr
	ast.Inspect(e, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false
		}
		if part, ok := n.(ast.Expr); ok && part != e {
			out = append(out, part)
		}
		return true
	})
	return out
}

// wellTyped formats a program and reports whether it is one; imports that are not used are taken out.
func wellTyped(source string) (string, bool) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", source, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	var lines []string
	for line := range strings.Lines(source) {
		if name := strings.Trim(strings.TrimSpace(line), `"`); strings.TrimSpace(line) == `"`+name+`"` && !used[name] {
			continue
		}
		lines = append(lines, line)
	}
	formatted, err := format.Source([]byte(strings.Join(lines, "")))
	if err != nil {
		return "", false
	}
	// What was taken out leaves empty lines.
	formatted = bytes.ReplaceAll(formatted, []byte("\n\n\t"), []byte("\n\t"))
	formatted = bytes.ReplaceAll(formatted, []byte("\n\n}"), []byte("\n}"))
	fset = token.NewFileSet()
	file, err = parser.ParseFile(fset, "", formatted, parser.SkipObjectResolution)
	if err != nil {
		return "", false
	}
	config := types.Config{Importer: typeinfo.Importer(fset)}
	if _, err := config.Check("main", fset, []*ast.File{file}, nil); err != nil {
		return "", false
	}
	return string(formatted), true
}

func TestCandidates(t *testing.T) {
	const source = `package main

import (
	"errors"
	"fmt"
)

func f(n int) int { return n }

func main() {
	err := errors.New("e")
	_ = err
	if f(2) > 1 {
		fmt.Println(f(f(3)))
	}
}
`
	got, err := candidates(source)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{
		"if f(2) > 1 {\n\t}", "_ = err\n\tfmt.Println(f(f(3)))\n}", "fmt.Println(f(3))", "fmt.Println(3)",
	} {
		if !slices.ContainsFunc(got, func(c candidate) bool { return strings.Contains(c.source, part) }) {
			t.Errorf("no candidate has %q", part)
		}
	}
	for _, c := range got {
		if len(c.source) >= len(source) {
			t.Errorf("not smaller:\n%s", c.source)
		}
	}
}
