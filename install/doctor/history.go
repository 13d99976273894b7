package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// history looks whether the file of the user's cells can be kept.
func (x *examination) history(context.Context) []Finding {
	named := os.Getenv(x.HistoryVariable)
	path, err := x.History()
	switch {
	case meansOff(named) && named != x.HistoryOff:
		return []Finding{{"history", Warning, x.HistoryVariable + "=" + named + " names a file; " + x.HistoryOff + " is for none",
			x.shell.set(x.HistoryVariable, x.HistoryOff)}}
	case named != "" && named != x.HistoryOff && !filepath.IsAbs(named):
		if rest, ok := strings.CutPrefix(named, "~/"); ok { // which a shell would have replaced
			if home, err := os.UserHomeDir(); err == nil {
				path = filepath.Join(home, rest)
			}
		}
		return []Finding{{"history", Warning, x.HistoryVariable + "=" + named + " is another file in each folder that a kernel starts in",
			x.shell.set(x.HistoryVariable, path)}}
	case err == nil && path == "":
		return []Finding{{"history", OK, "none is kept (" + x.HistoryVariable + ")", ""}}
	case err == nil:
		var at string
		if at, err = checkWritable(filepath.Dir(path)); err == nil {
			return []Finding{{"history", OK, path, ""}}
		}
		mend := x.mendFolder(at, err)
		if named != "" {
			mend = x.shell.unset(x.HistoryVariable)
		}
		return []Finding{{"history", Warning, err.Error() + ": the history cannot be kept", mend}}
	}
	finding := Finding{"history", Warning, strings.TrimPrefix(err.Error(), "history: "), ""}
	switch {
	case named != "":
		finding.Mend = x.shell.unset(x.HistoryVariable)
	case errors.Is(err, fs.ErrPermission) && !x.shell.windows && isOwner(path):
		finding.Mend = x.shell.command("chmod", "u+rw", path)
	case path != "":
		finding.Mend = x.mendFolder(path, errNoFolder) // moved aside
	}
	return []Finding{finding}
}

// meansOff says whether a text is how people say that they want something not.
func meansOff(text string) bool {
	return slices.Contains([]string{"off", "0", "no", "none", "false"}, strings.ToLower(text))
}
