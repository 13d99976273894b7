// Package notebook reads and writes notebooks (nbformat 4) and runs them without Jupyter.
//
// [Parse] reads nbformat 4.0 to 4.5 and gives every notebook the form of 4.5: all cells have ids. What the package does
// not know, such as foreign metadata and attachments, keeps its place, its order and its exact text through
// [Notebook.Bytes], which lays the file out as Python's nbformat does.
//
// [Run] executes the code cells of a notebook in a [Session] and stores what they output. [Job] does the same for files:
//
//	job := notebook.Job{
//		In:   "tour.ipynb",
//		Out:  "tour.out.ipynb",
//		Open: func() (notebook.Session, error) { return session.New() },
//		Options: notebook.Options{
//			Timeout:  time.Minute,
//			Progress: os.Stderr,
//		},
//	}
//	err := job.Run(ctx) // a *CellError when a cell failed; the file was written all the same
//
// The package knows nothing of the Jupyter protocol. Whether a cell's code is right, and what it means, is the session's
// business.
//
// The file format: https://nbformat.readthedocs.io/en/latest/format_description.html.
package notebook
