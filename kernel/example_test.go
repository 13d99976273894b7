package kernel_test

import (
	"context"
	"log/slog"
	"os"

	"orthant/kernel"
)

// Run is the whole program that a kernelspec starts with the path of a connection file.
func ExampleRun() {
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	if err := kernel.Run(context.Background(), os.Args[1], kernel.Options{Version: "0.1.0", Logger: log}); err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(2)
	}
}
