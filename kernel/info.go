package kernel

import (
	"context"
	"runtime"
	"strings"

	"orthant/kernel/wire"
)

// kernelInfoRequest answers what the kernel is. It needs no session, so that a client is ready before the session is.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#kernel-info
func (k *kernel) kernelInfoRequest(_ context.Context, r *request) (wire.Content, error) {
	r.afterwards = k.history.Start // not before: clients measure a kernel by its first reply
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	return wire.KernelInfoReply{
		Status:                wire.OK,
		ProtocolVersion:       wire.ProtocolVersion,
		Implementation:        implementation,
		ImplementationVersion: k.options.Version,
		LanguageInfo: wire.LanguageInfo{
			Name:           "go",
			Version:        goVersion,
			MIMEType:       "text/x-go",
			FileExtension:  ".go",
			PygmentsLexer:  "go",
			CodemirrorMode: "go",
		},
		SupportedFeatures: []string{subshellFeature},
		Banner:            "orthant " + k.options.Version + ", Go " + goVersion,
		HelpLinks: []wire.Link{
			{Text: "The Go specification", URL: "https://go.dev/ref/spec"},
			{Text: "Go's standard library", URL: "https://pkg.go.dev/std"},
			{Text: "Gonum", URL: "https://pkg.go.dev/gonum.org/v1/gonum"},
		},
	}, nil
}

// connectRequest answers with the ports (deprecated).
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#connect
func (k *kernel) connectRequest(context.Context, *request) (wire.Content, error) {
	return wire.ConnectReply{
		Status:      wire.OK,
		ShellPort:   k.info.ShellPort,
		IOPubPort:   k.info.IOPubPort,
		StdinPort:   k.info.StdinPort,
		HBPort:      k.info.HBPort,
		ControlPort: k.info.ControlPort,
	}, nil
}
