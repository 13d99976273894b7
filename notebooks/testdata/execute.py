"""execute.py IN OUT OTHER...: executes IN with nbclient, writes OUT, and validates all of the files."""

import os
import sys
import warnings

import nbclient
import nbformat

warnings.simplefilter("error", nbformat.warnings.DuplicateCellId)
warnings.simplefilter("error", nbformat.warnings.MissingIDFieldWarning)

source, target, *others = sys.argv[1:]
nb = nbformat.read(source, as_version=nbformat.NO_CONVERT)
folder = os.path.dirname(os.path.abspath(source))
nbclient.NotebookClient(nb, timeout=600, coalesce_streams=True, resources={"metadata": {"path": folder}}).execute()
nbformat.write(nb, target)
for path in [source, target, *others]:
    # Reading only logs what is wrong; validate raises it.
    nbformat.validate(nbformat.read(path, as_version=nbformat.NO_CONVERT))
