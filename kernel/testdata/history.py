"""Prints, as JSON, what IPython answers to history requests, as ipykernel passes them on (ipkernel.py, do_history).

Standard input is {"sessions": [[[input, output or null], ...], ...], "requests": [{...}, ...]}: the cells of sessions one
after the other, of which the last still runs, and the contents of requests. Printed is a list with one history for each
request; null where IPython fails.
"""

import json
import sys

from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config


def session(path, cells):
    """Returns the history of a session that has executed cells."""
    config = Config()
    config.HistoryManager.hist_file = path
    config.HistoryManager.db_log_output = True
    history = HistoryManager(shell=InteractiveShell.instance(config=Config()), config=config)
    history.input_hist_raw[:] = [""]
    history.input_hist_parsed[:] = [""]
    for line, (source, output) in enumerate(cells, 1):
        history.store_inputs(line, source)
        if output is not None:
            history.output_hist_reprs[line] = output
            history.store_output(line)
        history.writeout_cache()
    return history


def answer(history, request):
    """Is IPythonKernel.do_history."""
    kind = request.pop("hist_access_type")
    request.setdefault("output", False)
    request.setdefault("raw", True)
    if kind == "tail":
        found = history.get_tail(request.pop("n", None), include_latest=True, **request)
    elif kind == "range":
        found = history.get_range(request.pop("session", 0), request.pop("start", 0), request.pop("stop", None), **request)
    elif kind == "search":
        found = history.search(request.pop("pattern", None), **request)
    else:
        found = []
    return list(found)


def main():
    given = json.load(sys.stdin)
    for cells in given["sessions"]:
        history = session(sys.argv[1], cells)
        history.output_hist_reprs = {k: v for k, (_, v) in enumerate(cells, 1) if v is not None}
        if cells is not given["sessions"][-1]:
            history.end_session()
    answers = []
    for request in given["requests"]:
        try:
            answers.append(answer(history, request))
        except IndexError:
            answers.append(None)
    json.dump(answers, sys.stdout)


main()
