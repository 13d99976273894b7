package session

import "go/token"

// A keywordDoc is a section of Go's specification, and what that says of a keyword, in a sentence.
type keywordDoc struct{ section, doc string }

// keywordDocs explain all keywords.
//
// https://go.dev/ref/spec#Keywords
var keywordDocs = map[token.Token]keywordDoc{
	token.BREAK: {"Break_statements",
		"A break statement ends the innermost for, switch or select statement, or the one with the given " +
			"label, within the same function."},
	token.CASE: {"Switch_statements",
		"A case lists the expressions, types or channel operations for which the clause of a switch or select " +
			"statement is executed."},
	token.CHAN: {"Channel_types",
		"A channel type: concurrently executing functions communicate by sending and receiving values of its " +
			"element type."},
	token.CONST: {"Constant_declarations", "A constant declaration binds identifiers to the values of constant expressions."},
	token.CONTINUE: {"Continue_statements",
		"A continue statement begins the next iteration of the innermost for loop, or of the one with the " +
			"given label."},
	token.DEFAULT: {"Switch_statements", "The default clause of a switch or select statement is executed when no case applies."},
	token.DEFER: {"Defer_statements",
		"A defer statement calls a function at the moment the surrounding function returns, also when it " +
			"panics; at the top of a cell, at the end of the cell."},
	token.ELSE: {"If_statements", "The else branch of an if statement is executed when the condition is false."},
	token.FALLTHROUGH: {"Fallthrough_statements",
		"A fallthrough statement, the last of a clause, transfers control to the next clause of an expression " +
			"switch."},
	token.FOR: {"For_statements",
		"A for statement executes a block repeatedly, controlled by a condition, by init, condition and post " +
			"statements, or by range."},
	token.FUNC:      {"Function_declarations", "A function declaration, a function literal or a function type."},
	token.GO:        {"Go_statements", "A go statement calls a function as an independent concurrent thread of control, a goroutine."},
	token.GOTO:      {"Goto_statements", "A goto statement transfers control to the statement with the given label within the same function."},
	token.IF:        {"If_statements", "An if statement executes one of two branches by the value of a boolean expression."},
	token.IMPORT:    {"Import_declarations", "An import declaration makes the exported identifiers of a package accessible."},
	token.INTERFACE: {"Interface_types", "An interface type defines a type set: a variable of it holds a value of any type in the set."},
	token.MAP:       {"Map_types", "A map type: an unordered group of elements of one type, indexed by unique keys of another."},
	token.PACKAGE: {"Package_clause",
		"A package clause names the package that a file belongs to. A cell may begin with one; it has no " +
			"effect there."},
	token.RANGE: {"For_range",
		"A range clause iterates over the entries of an array, slice, string or map, values received on a " +
			"channel, integers from zero to a limit, or values passed to an iterator's yield function."},
	token.RETURN: {"Return_statements", "A return statement ends the execution of a function and may provide its results."},
	token.SELECT: {"Select_statements", "A select statement chooses which of a set of possible send or receive operations will proceed."},
	token.STRUCT: {"Struct_types", "A struct type: a sequence of named elements, the fields, each of which has a name and a type."},
	token.SWITCH: {"Switch_statements",
		"A switch statement compares an expression or the type of a value with those of its cases to " +
			"determine which branch to execute."},
	token.TYPE: {"Type_declarations", "A type declaration binds an identifier to a type: a new one, or, with =, an alias."},
	token.VAR:  {"Variable_declarations", "A variable declaration creates variables and gives each a type and an initial value."},
}

// describeKeyword describes a keyword.
func describeKeyword(t token.Token) description {
	k := keywordDocs[t]
	return description{
		decl: "keyword " + t.String(),
		doc:  k.doc + "\n\nhttps://go.dev/ref/spec#" + k.section,
	}
}
