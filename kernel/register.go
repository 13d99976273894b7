package kernel

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"

	"orthant/kernel/transport"
	"orthant/kernel/wire"
)

// register tells the launcher which ports the kernel has taken, closes the transport where that fails, and then completes
// the connection file, so that other clients find the kernel as they find any. The launcher does not need that file any
// more, so one that cannot be written is worth a line in the log and not the kernel.
//
// https://github.com/jupyter/enhancement-proposals/tree/master/66-jupyter-handshaking
func register(ctx context.Context, t *transport.Transport, connectionFile string, log *slog.Logger) error {
	if err := t.Register(ctx); err != nil {
		t.Close(ctx)
		return err
	}
	if err := completeConnectionFile(connectionFile, t.Connection()); err != nil {
		log.Warn("cannot write the connection file; only the launcher will find this kernel", "error", err)
	}
	return nil
}

// completeConnectionFile puts a file that names the ports in the place of the one that names the launcher. It names the
// launcher, too: a manager starts the next process of a kernel with the same file. It appears all at once, and is for the
// user's eyes only, because of the key.
func completeConnectionFile(path string, info wire.ConnectionInfo) (err error) {
	data, err := json.MarshalIndent(info, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".orthant-*") // readable for its owner only
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name()) // the error that matters is the one being returned
		}
	}()
	_, err = f.Write(append(data, '\n'))
	if errClose := f.Close(); err == nil {
		err = errClose
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
