package notebook

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A Job runs a notebook from file to file.
type Job struct {
	In  string // the notebook's file
	Out string // where the notebook goes with its outputs; empty: nowhere; "-": to Stdout
	// Stdout is written to once, after the session has been closed.
	Stdout io.Writer
	// Open starts the session that the notebook runs in. It is called in the notebook's folder.
	Open func() (Session, error)
	Options
}

// Run reads the notebook, runs its cells in the folder of In, and writes it. Meanwhile that folder is the process's
// working directory, and its standard input is empty; a cell that reads what is typed gets an error, since nobody is there to
// answer. Out is written once, under a temporary name that is then changed, also when a cell failed: then the error is a
// [CellError] (see [Run]). After any other error nothing has been written.
func (j Job) Run(ctx context.Context) error {
	data, err := os.ReadFile(j.In)
	if err != nil {
		return err
	}
	nb, err := Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", j.In, err)
	}
	dest, err := j.destination()
	if err != nil {
		return err
	}
	ran := j.runIn(ctx, filepath.Dir(j.In), nb)
	var cell *CellError
	if ran != nil && !errors.As(ran, &cell) {
		return fmt.Errorf("%s: %w", j.In, ran)
	}
	if err := j.save(nb, dest); err != nil {
		return err
	}
	if ran != nil {
		return fmt.Errorf("%s: %w", j.In, ran)
	}
	return nil
}

// destination returns the file that the notebook goes to, empty if it goes to none. A place that cannot be written to
// is found before any cell has run.
func (j Job) destination() (string, error) {
	if j.Out == "" || j.Out == "-" {
		return "", nil
	}
	out, err := filepath.Abs(j.Out)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real // or the link would be replaced
	}
	if info, err := os.Stat(out); err == nil && !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", j.Out)
	}
	f, err := createTemp(out)
	if err != nil {
		return "", fmt.Errorf("cannot write %s: %w", j.Out, cause(err))
	}
	return out, errors.Join(f.Close(), os.Remove(f.Name()))
}

// runIn runs the notebook in a session and a folder of its own.
func (j Job) runIn(ctx context.Context, dir string, nb *Notebook) (err error) {
	restore, err := surroundings(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restore()) }()
	s, err := j.Open()
	if err != nil {
		return err
	}
	err = Run(ctx, nb, s, j.Options)
	var cell *CellError
	if errors.As(err, &cell) && cell.Stuck {
		return err // closing would wait for the cell
	}
	return errors.Join(err, s.Close())
}

// surroundings gives the process what cells find around them: the working directory, and an empty standard input, since
// nobody is there to answer. restore takes that back.
func surroundings(dir string) (restore func() error, err error) {
	back, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	empty, err := os.Open(os.DevNull)
	if err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, errors.Join(err, empty.Close())
	}
	stdin := os.Stdin
	os.Stdin = empty
	return func() error {
		os.Stdin = stdin
		return errors.Join(os.Chdir(back), empty.Close())
	}, nil
}

// save writes the notebook to dest, or to Stdout, or nowhere.
func (j Job) save(nb *Notebook, dest string) error {
	if j.Out == "" {
		return nil
	}
	data, err := nb.Bytes()
	if err != nil {
		return err
	}
	if j.Out == "-" {
		_, err := j.Stdout.Write(data)
		return err
	}
	if err := replaceFile(dest, data); err != nil {
		return fmt.Errorf("cannot write %s: %w", j.Out, cause(err))
	}
	return nil
}
