package display

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
)

// A plain is a sink with a front end that can be neither asked nor told.
type plain struct{ shown []Bundle }

func (p *plain) Text(Stream, string) {}
func (p *plain) Display(b Bundle)    { p.shown = append(p.shown, b) }
func (p *plain) Update(Bundle)       {}
func (p *plain) Clear(bool)          {}

// A talking is one that can.
type talking struct {
	plain
	err  error
	said []string
}

func (a *talking) Ask(_ context.Context, prompt string, password bool) (string, error) {
	if password {
		prompt += " (hidden)"
	}
	a.said = append(a.said, prompt)
	return "answer", a.err
}

func (a *talking) Page(b Bundle, start int) { a.said = append(a.said, b.Data[plainText].(string)) }

func (a *talking) SetNextInput(text string, replace bool) { a.said = append(a.said, text) }

func TestFrontEnd(t *testing.T) {
	a := &talking{}
	Run(a, func() {
		for _, ask := range []func(string) (string, error){Input, Password} {
			if got, err := ask("name?"); got != "answer" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
		}
		Page(7)
		SetNextInput("x := 1")
		a.err = io.EOF
		if _, err := Input("end?"); err != io.EOF {
			t.Errorf("got %v, want io.EOF itself", err)
		}
	})
	if want := []string{"name?", "name? (hidden)", "7", "x := 1", "end?"}; !slices.Equal(a.said, want) {
		t.Errorf("the front end heard %q, want %q", a.said, want)
	}
}

func TestNoFrontEnd(t *testing.T) {
	p := &plain{}
	Run(p, func() {
		if _, err := Input("?"); !errors.Is(err, ErrNoInput) {
			t.Errorf("got %v, want ErrNoInput", err)
		}
		SetNextInput("nothing happens")
		Page(7)
	})
	if len(p.shown) != 1 {
		t.Errorf("%d displays, want the page", len(p.shown))
	}
}

// TestInputOfProgram checks that a program that is no cell asks on its own streams.
func TestInputOfProgram(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func(old *os.File) { os.Stdin = old }(os.Stdin)
	os.Stdin = r
	if _, err := io.Copy(w, strings.NewReader("one\r\n\nlast")); err != nil {
		t.Fatal(err)
	}
	w.Close()
	for _, want := range []string{"one", "", "last"} {
		if got, err := Input(""); got != want || err != nil {
			t.Errorf("got %q, %v, want %q", got, err, want)
		}
	}
	if _, err := Input(""); err != io.EOF {
		t.Errorf("got %v, want io.EOF", err)
	}
	if _, err := Password(""); !errors.Is(err, ErrNoInput) {
		t.Errorf("got %v: a password would be seen", err)
	}
}
