//go:build !windows

package kernel

// A cellPair is a cell in both languages.
type cellPair struct{ golang, python string }

// waiting is code that says so and waits until the scene's file is there.
var waiting = cellPair{
	"import (\n\t\"os\"\n\t\"time\"\n)\n\nfmt.Println(\"running\")\nfor {\n\tif _, err := os.Stat(\"FOLDER/go\"); err == nil {\n" +
		"\t\tbreak\n\t}\n\ttime.Sleep(10 * time.Millisecond)\n}\n",
	"import os, time\nprint('running', flush=True)\nwhile not os.path.exists('FOLDER/go'):\n    time.sleep(0.01)\n",
}

// then returns a cell that waits and goes on with code.
func (c cellPair) then(golang, python string) cellPair {
	return cellPair{c.golang + golang, c.python + python}
}

// cells are the cells of the conversations with both kernels.
var cells = map[string]cellPair{
	"empty":             {"", ""},
	"blank":             {"\n  \n", "\n  \n"},
	"comment":           {"// nothing", "# nothing"},
	"print":             {`fmt.Println("hello")`, `print("hello")`},
	"print two lines":   {"fmt.Println(1)\nfmt.Println(2)", "print(1)\nprint(2)"},
	"print no line end": {`fmt.Print("a")`, `print("a", end="")`},
	"print é😀":          {`fmt.Println("é😀")`, `print("é😀")`},
	"print to stderr":   {"import \"os\"\n\nfmt.Fprintln(os.Stderr, \"oops\")", "import sys\nprint(\"oops\", file=sys.stderr)"},
	"print in turn": {
		"import \"os\"\n\nfor range 2 {\n\tfmt.Println(\"out\")\n\tfmt.Fprintln(os.Stderr, \"err\")\n}",
		"import sys\nfor _ in range(2):\n    print(\"out\")\n    print(\"err\", file=sys.stderr)",
	},
	"1000 lines": {"for i := range 1000 {\n\tfmt.Println(i)\n}", "for i in range(1000):\n    print(i)"},
	"value":      {"6 * 7", "6 * 7"},
	"two values": {"1\n2", "1\n2"},
	"text":       {`"a" + "b"`, `"a" + "b"`},
	"nothing": {
		"var nothing any\nnothing", "nothing = None\nnothing",
	},
	"semicolon":         {"6 * 7;", "6 * 7;"},
	"statement":         {"number := 41", "number = 41"},
	"use":               {"number + 1", "number + 1"},
	"print and value":   {"fmt.Println(\"hello\")\n6 * 7", "print(\"hello\")\n6 * 7"},
	"fail":              {`panic("on purpose")`, `raise ValueError("on purpose")`},
	"print and fail":    {"fmt.Println(\"hello\")\npanic(\"on purpose\")", "print(\"hello\")\nraise ValueError(\"on purpose\")"},
	"syntax error":      {"x := )", "x = )"},
	"print, then wrong": {"fmt.Println(\"hello\")\nx := )", "print(\"hello\")\nx = )"},
	"undefined":         {"undefinedName", "undefinedName"},
	"undefined after print": {
		"fmt.Println(\"hello\")\nundefinedName", "print(\"hello\")\nundefinedName",
	},
	"exit": {"import \"os\"\n\nos.Exit(3)", "import sys\nsys.exit(3)"},

	"show":        {`display.Show("shown")`, `from IPython.display import display` + "\ndisplay(\"shown\")"},
	"show twice":  {"display.Show(1)\ndisplay.Show(2)", "from IPython.display import display\ndisplay(1)\ndisplay(2)"},
	"show html":   {`display.Show(display.HTML("<b>x</b>"))`, "from IPython.display import display, HTML\ndisplay(HTML(\"<b>x</b>\"))"},
	"show by id":  {showByID("Display", "one"), "from IPython.display import display\n_ = display(\"one\", display_id=\"d\")"},
	"update":      {showByID("Update", "two"), "from IPython.display import update_display\nupdate_display(\"two\", display_id=\"d\")"},
	"clear":       {"fmt.Println(1)\ndisplay.Clear(false)\nfmt.Println(2)", clearInPython("False")},
	"clear later": {"fmt.Println(1)\ndisplay.Clear(true)\nfmt.Println(2)", clearInPython("True")},
	"print around a display": {
		"fmt.Println(1)\ndisplay.Show(\"shown\")\nfmt.Println(2)",
		"from IPython.display import display\nprint(1)\ndisplay(\"shown\")\nprint(2)",
	},

	"wait":          waiting,
	"wait and fail": waiting.then(`panic("on purpose")`, `raise ValueError("on purpose")`),
	"loop":          {"fmt.Println(\"running\")\nfor {\n}", "print('running', flush=True)\nwhile True:\n    pass"},
	"sleep": {
		"import \"time\"\n\nfmt.Println(\"running\")\ntime.Sleep(time.Hour)",
		"import time\nprint('running', flush=True)\ntime.sleep(3600)",
	},
	"thread": {
		"import (\n\t\"os\"\n\t\"time\"\n)\n\ngo func() {\n\tfor {\n\t\tif _, err := os.Stat(\"FOLDER/go\"); err == nil {\n\t\t\tbreak\n\t\t}\n" +
			"\t\ttime.Sleep(10 * time.Millisecond)\n\t}\n\tfmt.Println(\"late\")\n}()",
		"import os, time, threading\ndef late():\n    while not os.path.exists('FOLDER/go'):\n        time.sleep(0.01)\n" +
			"    print('late', flush=True)\nthreading.Thread(target=late).start()",
	},
	"ask":          {`in, _ := display.Input("name? ")` + "\nfmt.Println(\"got\", in)", "print('got', input('name? '))"},
	"ask secretly": {`secret, _ := display.Password("code? ")` + "\nfmt.Println(len(secret))", "import getpass\nprint(len(getpass.getpass('code? ')))"},
	"ask twice": {
		`a, _ := display.Input("1? ")` + "\n" + `b, _ := display.Input("2? ")` + "\nfmt.Println(a + b)",
		"a = input('1? ')\nb = input('2? ')\nprint(a + b)",
	},
	"print and ask": {"fmt.Println(\"before\")\n" + `_, _ = display.Input("? ")`, "print('before')\n_ = input('? ')"},
	"page": {
		`display.Page("a page")`,
		"from IPython.core import page\npage.page('a page')",
	},
	"next input": {`display.SetNextInput("6 * 7")`, "get_ipython().set_next_input('6 * 7')"},
	"run a while": {
		"import \"time\"\n\nfmt.Println(\"running\")\ntime.Sleep(500 * time.Millisecond)",
		"import time\nprint('running', flush=True)\ntime.sleep(0.5)",
	},
	"command":            {"!echo hello", "!echo hello"},
	"command's error":    {"!echo oops >&2", "!echo oops >&2"},
	"command that fails": {"!exit 3", "!exit 3"},
	"unknown magic":      {"fmt.Println(\"hello\")\n%frobnicate", "print(\"hello\")\n%frobnicate"},
	"load":               {"%load FOLDER/file", "%load FOLDER/file"},
	"question mark":      {"fmt.Println?", "print?"},
	"value before":       {"_", "_"},
	"9 MiB":              {"for range 9 << 10 {\n\tfmt.Printf(\"%1023s\\n\", \"\")\n}", "for _ in range(9 << 10):\n    print(\" \" * 1023)"},

	"reading": {"var in string\n_, err := fmt.Scanln(&in)\nerr == nil", "input('? ')"},
}

// showByID is Go that displays a text under an id, or updates it.
func showByID(method, text string) string {
	return `display.Current().` + method + `(display.Bundle{Data: map[string]any{"text/plain": "'` + text + `'"}, ID: "d"})`
}

func clearInPython(wait string) string {
	return "from IPython.display import clear_output\nprint(1)\nclear_output(wait=" + wait + ")\nprint(2)"
}
