// Package display turns values into what a notebook shows, and hands it to the cell that runs.
//
// It does two things. [Of] renders a value as a [Bundle], the same content in one or more MIME types of which a front
// end shows the richest: a gonum plot as PNG and SVG, an image as PNG, a matrix as an HTML table, anything else as
// fmt's %v. [Show], [Clear] and [HTML] are what a cell calls to show something before it ends:
//
//	w, _ := affinity.Gaussian{MeanDistance: 0.7}.Of(x)
//	display.Show(w)                            // a table of 500 × 500, elided in the middle
//	display.Show(display.HTML("<b>done</b>"))
//
// Beside that, [Input] and [Password] ask the user who runs the cell, [Page] shows long text in the front end's pager, and
// [SetNextInput] writes the next cell.
//
// A type renders itself by implementing [Displayer]; that is how the figures of orthant/stdlib/figure are shown.
//
// Output belongs to a cell through its goroutines. Whoever runs cells implements [Sink] and calls [Run]; [Current] then
// finds that sink from the cell's goroutine and from all goroutines that it starts, also after the cell has ended and
// another one runs. Outside of any Run, output is plain text on the process's standard streams, so that the same calls
// work in an ordinary Go program.
//
// The package knows no Jupyter messages and no interpreter, keeps no output, and never panics on a value that cannot be
// shown (a nil plot, a logarithmic axis with a negative end): its text representation says what was wrong.
package display
