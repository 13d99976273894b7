package doctor

import (
	"os/exec"
	"runtime"
	"testing"
)

func TestShell(t *testing.T) {
	unix, windows := shell{}, shell{windows: true}
	for _, test := range []struct{ name, got, want string }{
		{"plain", unix.command("orthant", "install", "--prefix", "/opt/a-b_c.d"), "orthant install --prefix /opt/a-b_c.d"},
		{"space", unix.command("/a b/orthant"), "'/a b/orthant'"},
		{"apostrophe", unix.command("x", "it's"), `x 'it'\''s'`},
		{"home is not to be expanded", unix.command("x", "~", "$HOME", ""), "x '~' '$HOME' ''"},
		{"with", unix.with("A", "/b c", "x y"), "A='/b c' x y"},
		{"set", unix.set("HOME", "/a b"), "export HOME='/a b'"},
		{"unset", unix.unset("A"), "unset A"},
		{"windows", windows.command(`C:\bin\orthant.exe`, "install", "--prefix", `C:\Program Files\x`), `C:\bin\orthant.exe install --prefix "C:\Program Files\x"`},
		{"windows with", windows.with("A", `C:\b c`, "x"), `set "A=C:\b c" && x`},
		{"windows set", windows.set("A", "1GiB"), `set "A=1GiB"`},
		{"windows unset", windows.unset("A"), "set A="},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
}

// TestQuoteIsRead lets a shell read what was quoted.
func TestQuoteIsRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no sh")
	}
	for _, word := range []string{"a", "a b", "it's", `"`, `\`, "$HOME", "`id`", "*", "~", "a\nb", "-n", "ä", ""} {
		out, err := exec.Command("sh", "-c", "printf %s "+shell{}.quote(word)+"x").Output()
		if err != nil || string(out) != word+"x" {
			t.Errorf("%q became %q, %v", word, out, err)
		}
	}
}

func TestNewer(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"0.2.0", "0.1.0", true}, {"0.1.0", "0.2.0", false}, {"0.1.0", "0.1.0", false}, {"0.10.0", "0.9.9", true}, {"1", "0.9", true},
		{"v1.0.1", "1.0.0", true}, {"1.0.0-rc1", "1.0.0", false}, {"", "0.1.0", false}, {"x.y", "0.0.0", false},
	} {
		if got := newer(test.a, test.b); got != test.want {
			t.Errorf("newer(%q, %q) is %v", test.a, test.b, got)
		}
	}
}
