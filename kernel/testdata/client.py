"""Executes a notebook with nbclient, so often as asked, and prints its outputs, which must be the same each time."""

import json
import sys

import nbclient
import nbformat

CELLS = [
    'import "os"\n\nfor i := range 1000 {\n\tfmt.Println("line", i)\n}',
    'fmt.Fprintln(os.Stderr, "to stderr")\nfmt.Print("no newline")',
    "xs := []int{3, 1, 2}\nlen(xs)",
    'display.Show(display.HTML("<i>x</i>"))\nfmt.Println("last line")',
]


def outputs():
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in CELLS])
    nb.metadata["kernelspec"] = {"name": "orthant", "display_name": "Go (orthant)", "language": "go"}
    nbclient.NotebookClient(nb, timeout=60, coalesce_streams=True).execute()
    nbformat.validate(nb)
    return [[simplified(o) for o in c.outputs] for c in nb.cells]


def simplified(output):
    if output.output_type == "stream":
        return [output.name, output.text]
    return [output.output_type, output.data]


want = [
    [["stdout", "".join(f"line {i}\n" for i in range(1000))]],
    # The two streams are different pipes of the process; their order is chance.
    [["stderr", "to stderr\n"], ["stdout", "no newline"]],
    [["execute_result", {"text/plain": "3"}]],
    [["display_data", {"text/html": "<i>x</i>", "text/plain": "<i>x</i>"}], ["stdout", "last line\n"]],
]
for run in range(int(sys.argv[1])):
    got = outputs()
    got[1].sort()
    if got != want:
        sys.exit(f"run {run}: got\n{json.dumps(got)}\nwant\n{json.dumps(want)}")
