package display_test

import (
	"fmt"
	"html"

	"gonum.org/v1/gonum/mat"

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
