package check

import "strings"

// noEmbedding refuses //go:embed in a cell that imports package embed: nothing would embed the files, and the variables would
// stay empty. It reports whether all is well.
func (c *checker) noEmbedding() bool {
	for _, spec := range c.cell.Cell.Imports {
		if spec.Path.Value != `"embed"` {
			continue
		}
		file := c.env.Files.File(spec.Pos())
		for i, line := range strings.Split(c.cell.Source, "\n") {
			if strings.HasPrefix(line, "//go:embed ") && i < file.LineCount() {
				c.typeError(file.LineStart(i+1), "//go:embed does not work in cells; read the files with os.ReadFile")
			}
		}
	}
	return len(c.errs) == 0
}
