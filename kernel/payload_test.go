package kernel

import (
	"encoding/json"
	"testing"

	"orthant/kernel/kerneltest"
)

// TestPayloads checks what the replies of execute requests carry to the front end.
func TestPayloads(t *testing.T) {
	_, c := startKernel(t)
	for _, tt := range []struct {
		name, code string
		silent     bool
		want       string
	}{
		{"none", "print x", false, `[]`},
		{"none of a failure", "fail x", false, `[]`},
		{"page", "page some help", false, `[{"data":{"text/plain":"some help"},"source":"page","start":3}]`},
		{"set_next_input", "next x := 1", false, `[{"replace":false,"source":"set_next_input","text":"x := 1"}]`},
		{"the last of a source", "next a\npage b\nreplace c", false,
			`[{"data":{"text/plain":"b"},"source":"page","start":3},{"replace":true,"source":"set_next_input","text":"c"}]`},
		{"before a failure", "next a\nfail x", false, `[{"replace":false,"source":"set_next_input","text":"a"}]`},
		{"silent", "next a", true, `[{"replace":false,"source":"set_next_input","text":"a"}]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			request := kerneltest.Request(tt.code)
			request.Silent = tt.silent
			var reply struct{ Payload json.RawMessage }
			c.Shell(request).Decode(&reply)
			if got := string(reply.Payload); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
