package magic

import "testing"

func TestGrid(t *testing.T) {
	g := grid{
		columns: []column{{"name", code}, {"what", prose}, {"bytes", numeric}},
		rows:    [][]string{{"a", "an <int>", "1,024"}, {"long\nname", "", "8"}, {"", "b", ""}},
		foot:    "1 & 2",
	}
	b := g.bundle()
	const text = `name  what      bytes
a     an <int>  1,024
long                8
name
      b
1 & 2`
	if got := b.Data["text/plain"]; got != text {
		t.Errorf("got\n%s\nwant\n%s", got, text)
	}
	const left, right, typed = ` style="text-align:left"`, ` style="text-align:right"`, ` style="text-align:left;font-family:monospace"`
	const want = "<table><thead><tr><th" + left + ">name</th><th" + left + ">what</th><th" + right + ">bytes</th></tr></thead><tbody>" +
		"<tr><td" + typed + ">a</td><td" + left + ">an &lt;int&gt;</td><td" + right + ">1,024</td></tr>" +
		"<tr><td" + typed + ">long<br>name</td><td" + left + "></td><td" + right + ">8</td></tr>" +
		"<tr><td" + typed + "></td><td" + left + ">b</td><td" + right + "></td></tr></tbody></table><p>1 &amp; 2</p>"
	if got := b.Data["text/html"]; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
