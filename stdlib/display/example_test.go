package display_test

import (
	"context"
	"errors"
	"fmt"
	"html"
	"time"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"orthant/stdlib/display"
)

func ExampleOf() {
	b := display.Of(mat.NewDense(2, 2, []float64{1, 0.5, 0.5, 1}))
	fmt.Println(b.Data["text/plain"])
	// Output:
	// Dims(2, 2)
	// ⎡  1  0.5⎤
	// ⎣0.5    1⎦
}

func ExampleShow() {
	display.Show([]string{"shown", "before", "the", "cell", "ends"})
	// Output: [shown before the cell ends]
}

func ExampleHTML() {
	display.Show(display.HTML("<b>" + html.EscapeString("W > 0") + "</b>"))
	// Output: <b>W &gt; 0</b>
}

func ExampleClear() {
	display.Show("90 %")
	display.Clear(true) // in a notebook the next line replaces the one above; a stream keeps both
	display.Show("done")
	// Output:
	// 90 %
	// done
}

func ExamplePlot() {
	p := plot.New()
	p.Title.Text = "Eigenvalues"
	b := display.Plot(p, 6*vg.Inch, 2*vg.Inch) // as the last expression of a cell it is shown, in this size
	fmt.Println(b.Data["text/plain"])
	fmt.Println(b.Metadata["image/png"])
	// Output:
	// plot "Eigenvalues"
	// map[alt:plot "Eigenvalues" height:192 width:576]
}

// Two plots side by side make one picture.
type sideBySide struct{ left, right *plot.Plot }

func (s sideBySide) Draw(c draw.Canvas) {
	half := (c.Max.X - c.Min.X) / 2
	s.left.Draw(draw.Crop(c, 0, -half, 0, 0))
	s.right.Draw(draw.Crop(c, half, 0, 0, 0))
}

func ExamplePicture() {
	b := display.Picture(sideBySide{plot.New(), plot.New()}, 8*vg.Inch, 3*vg.Inch, "before and after")
	fmt.Println(b.Data["text/plain"], len(b.Data))
	// Output: before and after 3
}

// A temperature renders itself: display.Of and a notebook call its Display method.
type temperature float64

func (t temperature) Display() display.Bundle {
	return display.Bundle{Data: map[string]any{
		"text/plain": fmt.Sprintf("%.1f °C", float64(t)),
		"text/html":  fmt.Sprintf("<b>%.1f</b> °C", float64(t)),
	}}
}

func ExampleDisplayer() {
	b := display.Of(temperature(21.5))
	fmt.Println(b.Data["text/plain"], b.Data["text/html"])
	// Output: 21.5 °C <b>21.5</b> °C
}

func ExampleText() {
	display.Show(display.Text("as it is"))
	// Output: as it is
}

// A collected implements display.Sink by keeping the text of what is shown.
type collected struct{ shown []any }

func (c *collected) Text(display.Stream, string) {}
func (c *collected) Display(b display.Bundle)    { c.shown = append(c.shown, b.Data["text/plain"]) }
func (c *collected) Update(display.Bundle)       {}
func (c *collected) Clear(wait bool)             {}

func ExampleRun() {
	var out collected
	display.Run(&out, func() {
		done := make(chan bool)
		go func() {
			display.Show("from a goroutine of the run")
			close(done)
		}()
		<-done
	})
	fmt.Println(len(out.shown), out.shown[0])
	// Output: 1 from a goroutine of the run
}

func ExampleOwned() {
	var out collected
	done := make(chan bool)
	display.Run(&out, func() {
		// The timer's goroutine is not one that the run started.
		time.AfterFunc(time.Millisecond, display.Owned(display.Current(), func() {
			display.Show("late")
			close(done)
		}))
	})
	<-done
	fmt.Println(out.shown[0])
	// Output: late
}

// A scripted implements display.Asker and display.Payloads as a front end whose user gives the same answer to everything.
type scripted struct {
	collected
	answer string
}

func (s *scripted) Ask(_ context.Context, prompt string, password bool) (string, error) {
	fmt.Printf("asked %q, hidden: %v\n", prompt, password)
	return s.answer, nil
}

func (s *scripted) Page(b display.Bundle, start int) {
	fmt.Printf("pager, from line %d: %v\n", start, b.Data["text/plain"])
}

func (s *scripted) SetNextInput(text string, replace bool) {
	fmt.Printf("next cell: %s\n", text)
}

func ExampleInput() {
	// A notebook has a front end from the start; here one takes its place.
	display.Run(&scripted{answer: "Ada"}, func() {
		name, err := display.Input("name: ")
		fmt.Println(name, err)
	})
	// Output:
	// asked "name: ", hidden: false
	// Ada <nil>
}

func ExampleInput_nobody() {
	// As in a notebook that runs without its front end.
	display.Run(&collected{}, func() {
		_, err := display.Input("name: ")
		fmt.Println(errors.Is(err, display.ErrNoInput), err)
	})
	// Output: true display: no input: nobody can be asked here
}

func ExamplePassword() {
	display.Run(&scripted{answer: "secret"}, func() {
		password, err := display.Password("password: ")
		fmt.Println(len(password), err)
	})
	// Output:
	// asked "password: ", hidden: true
	// 6 <nil>
}

func ExamplePage() {
	display.Page("long help") // without a front end, as Show
	display.Run(&scripted{}, func() { display.Page("long help") })
	// Output:
	// long help
	// pager, from line 0: long help
}

func ExampleSetNextInput() {
	display.Run(&scripted{}, func() { display.SetNextInput("k := 10") })
	// Output: next cell: k := 10
}

func ExampleCurrent() {
	display.Current().Text(display.Stdout, "outside of any cell\n")
	// Output: outside of any cell
}
