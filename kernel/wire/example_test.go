package wire_test

import (
	"fmt"
	"log"

	"orthant/kernel/wire"
)

// A client asks, a kernel answers; both have read the same connection file.
func Example() {
	info, err := wire.ParseConnection([]byte(`{
		"transport": "tcp", "ip": "127.0.0.1", "signature_scheme": "hmac-sha256", "key": "a0436f6c",
		"shell_port": 57503, "control_port": "50160", "stdin_port": 52597, "iopub_port": 40885, "hb_port": 42540}`))
	if err != nil {
		log.Fatal(err)
	}
	codec, err := wire.NewCodec(info)
	if err != nil {
		log.Fatal(err)
	}

	question, err := wire.NewSender("ada").New(nil, wire.ExecuteRequest{Code: "1+1"})
	if err != nil {
		log.Fatal(err)
	}
	frames, err := codec.Encode(question)
	if err != nil {
		log.Fatal(err)
	}

	request, err := codec.Decode(frames)
	if err != nil {
		log.Fatal(err) // a wrong signature, for example
	}
	var in wire.ExecuteRequest
	if err := request.Unmarshal(&in); err != nil {
		log.Fatal(err)
	}
	reply, err := wire.NewSender("orthant").New(request, wire.ExecuteReply{ExecutionCount: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(request.Header.MsgType, in.Code)
	fmt.Println(reply.Header.MsgType, string(reply.Content))
	fmt.Println(info.Endpoint(wire.Control))
	// Output:
	// execute_request 1+1
	// execute_reply {"status":"ok","execution_count":1,"payload":[],"user_expressions":{}}
	// tcp://127.0.0.1:50160
}

func ExampleBundle() {
	data, err := wire.Bundle(map[string]any{
		"text/plain":       "a point",
		"image/png":        []byte{0x89, 'P', 'N', 'G'},
		"application/json": map[string]any{"x": 1.5},
	})
	fmt.Println(string(data["text/plain"]), string(data["image/png"]), string(data["application/json"]), err)
	// Output: "a point" "iVBORw==" {"x":1.5} <nil>
}

func ExampleByteOffset() {
	const code = "π.Pri" // the cursor is behind "Pri"
	offset := wire.ByteOffset(code, 5)
	fmt.Println(offset, code[:offset], wire.CodePoints(code, offset))
	// Output: 6 π.Pri 5
}
