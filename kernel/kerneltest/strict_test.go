package kerneltest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"orthant/kernel/wire"
)

// A said is one message of a conversation that a kernel has with a client.
type said struct {
	channel wire.Channel
	content wire.Content
	edit    func(*wire.Message) // before it is sent; nil for nothing
	orphan  bool                // it answers nothing
}

// A rawContent is sent as it is.
type rawContent struct{ messageType, content string }

func (r rawContent) MessageType() string { return r.messageType }

func (r rawContent) MarshalJSON() ([]byte, error) { return []byte(r.content), nil }

// status returns a status message on IOPub.
func status(state wire.ExecutionState) said {
	return said{channel: wire.IOPub, content: wire.KernelStatus{ExecutionState: state}}
}

func published(messageType, content string) said {
	return said{channel: wire.IOPub, content: rawContent{messageType, content}}
}

func replied(messageType, content string) said {
	return said{channel: wire.Shell, content: rawContent{messageType, content}}
}

// judge plays a conversation to a client without sockets, which has sent a request on shell. It returns what the client
// says of the last message, and fails the test if it refuses another.
func judge(t *testing.T, request wire.Content, conversation []said) error {
	t.Helper()
	codec, err := wire.NewCodec(wire.ConnectionInfo{Key: "a key", SignatureScheme: "hmac-sha256"})
	if err != nil {
		t.Fatal(err)
	}
	kernel := wire.NewSender("kernel")
	c := &Client{
		t: t, codec: codec, sender: wire.NewSender("client"),
		ids: make(map[string]bool), sent: make(map[string]*Exchange), foreign: make(map[string]*progress),
	}
	asked, err := c.sender.New(nil, request)
	if err != nil {
		t.Fatal(err)
	}
	c.expect(wire.Shell, asked)
	var said error
	for i, s := range conversation {
		if said != nil {
			t.Fatalf("message %d: %v", i-1, said)
		}
		said = c.take(s.channel, encode(t, codec, kernel, asked, s))
	}
	return said
}

// encode returns the frames of a message of the kernel.
func encode(t *testing.T, codec *wire.Codec, kernel *wire.Sender, request *wire.Message, s said) [][]byte {
	t.Helper()
	if s.orphan {
		request = nil
	}
	m, err := kernel.New(request, s.content)
	if err != nil {
		t.Fatal(err)
	}
	if s.channel == wire.IOPub {
		m.Identities = [][]byte{[]byte("topic")}
	}
	if s.edit != nil {
		s.edit(m)
	}
	frames, err := codec.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

// edited returns a message that is changed before it is sent.
func edited(s said, edit func(*wire.Message)) said {
	s.edit = edit
	return s
}

func setHeader(from, to string) func(*wire.Message) {
	return func(m *wire.Message) { m.RawHeader = []byte(strings.Replace(string(m.RawHeader), from, to, 1)) }
}

var messageID = regexp.MustCompile(`"msg_id":"[^"]*"`)

// sameID gives a message the id of all others with it.
func sameID(m *wire.Message) {
	m.RawHeader = messageID.ReplaceAll(m.RawHeader, []byte(`"msg_id":"same"`))
}

// answered returns the conversation of a request that publishes nothing.
func answered(messageType, content string) []said {
	return []said{status(wire.Busy), replied(messageType, content), status(wire.Idle)}
}

func completes(matches string, start, end int) []said {
	return answered("complete_reply", fmt.Sprintf(`{"status":"ok","matches":%s,"cursor_start":%d,"cursor_end":%d,"metadata":{}}`, matches, start, end))
}

func remembers(entries string) []said {
	return answered("history_reply", `{"status":"ok","history":[`+entries+`]}`)
}

func TestConversations(t *testing.T) {
	const okReply = `{"status":"ok","execution_count":1,"payload":[],"user_expressions":{}}`
	cell := Request("x")
	silent := wire.ExecuteRequest{Code: "x", Silent: true}
	asking := wire.ExecuteRequest{Code: "x", AllowStdin: true}
	valued := wire.ExecuteRequest{Code: "x", UserExpressions: map[string]string{"a": "1"}}
	input := published("execute_input", `{"code":"x","execution_count":1}`)
	failure := `"ename":"E","evalue":"v","traceback":[]`
	question := said{channel: wire.Stdin, content: wire.InputRequest{Prompt: "?"}}
	tests := []struct {
		name    string
		request wire.Content
		said    []said
		want    string // part of the error of the last message; empty for none
	}{
		{"a cell", cell, []said{status(wire.Busy), input, replied("execute_reply", okReply), status(wire.Idle)}, ""},
		{"no welcome twice is needed", cell, []said{{wire.IOPub, wire.KernelStatus{ExecutionState: wire.Starting}, nil, true}}, ""},
		{"starting twice", cell, []said{
			{wire.IOPub, wire.KernelStatus{ExecutionState: wire.Starting}, nil, true},
			{wire.IOPub, wire.KernelStatus{ExecutionState: wire.Starting}, nil, true},
		}, "starting comes twice"},
		{"output without a parent", cell, []said{{wire.IOPub, wire.Stream{Name: "stdout", Text: "x"}, nil, true}}, "has no parent"},
		{"busy without a parent", cell, []said{{wire.IOPub, wire.KernelStatus{ExecutionState: wire.Busy}, nil, true}}, "has no parent"},
		{"reply without a parent", cell, []said{{wire.Shell, rawContent{"execute_reply", okReply}, nil, true}}, "answers no request"},
		{"re-encoded parent", cell, []said{edited(status(wire.Busy), func(m *wire.Message) {
			m.ParentHeader = append(m.ParentHeader[:len(m.ParentHeader)-1:len(m.ParentHeader)-1], " }"...)
		})}, "parent header"},
		{"another session", cell, []said{status(wire.Busy), edited(status(wire.Idle), setHeader(`"session":"`, `"session":"x`))}, "before it was"},
		{"a message id once more", cell, []said{
			edited(status(wire.Busy), sameID), edited(status(wire.Idle), sameID),
		}, "seen before"},
		{"more in a header", cell, []said{edited(status(wire.Busy), setHeader("{", `{"x":1,`))}, "no such field"},
		{"local time", cell, []said{edited(status(wire.Busy), setHeader(`Z"`, `"`))}, "date"},
		{"another version", cell, []said{edited(status(wire.Busy), setHeader(`"5.5"`, `"5.3"`))}, "version"},
		{"no topic", cell, []said{edited(status(wire.Busy), func(m *wire.Message) { m.Identities = nil })}, "0 frames of topic"},
		{"two topics", cell, []said{edited(status(wire.Busy), func(m *wire.Message) { m.Identities = [][]byte{{1}, {2}} })}, "2 frames of topic"},
		{"an id on shell", cell, []said{edited(replied("execute_reply", okReply), func(m *wire.Message) { m.Identities = [][]byte{{1}} })}, "never sent"},
		{"welcome of another subscription", cell, []said{{wire.IOPub, wire.IOPubWelcome{Subscription: "x"}, nil, true}}, "the subscription is"},
		{"buffers of text", cell, []said{status(wire.Busy), edited(published("stream", `{"name":"stdout","text":"x"}`), func(m *wire.Message) {
			m.Buffers = [][]byte{{1}}
		})}, "only comm messages"},
		{"buffers of a comm", cell, []said{status(wire.Busy), input, edited(published("comm_msg", `{"comm_id":"c","data":{}}`), func(m *wire.Message) {
			m.Buffers = [][]byte{{1}}
		})}, ""},
		{"metadata of a status", cell, []said{edited(status(wire.Busy), func(m *wire.Message) { m.Metadata = []byte(`{"a":1}`) })}, "metadata: a"},
		{"started that is no date", cell, []said{edited(replied("execute_reply", okReply), func(m *wire.Message) {
			m.Metadata = []byte(`{"started":"today"}`)
		})}, "metadata: started"},
		{"a widget without a version", cell, []said{status(wire.Busy), input, published("comm_open",
			`{"comm_id":"c","target_name":"jupyter.widget","data":{}}`)}, "metadata: version"},
		{"invalid UTF-8", cell, []said{edited(status(wire.Busy), func(m *wire.Message) { m.Metadata = []byte("{\"a\":\"\xff\"}") })}, "not UTF-8"},
		{"a question", asking, []said{status(wire.Busy), input, question}, ""},
		{"a question on IOPub", asking, []said{status(wire.Busy), input, published("input_request", `{"prompt":"","password":false}`)}, "does not belong on iopub"},
		{"a question on shell", asking, []said{status(wire.Busy), replied("input_request", `{"prompt":"","password":false}`)}, "does not belong on shell"},
		{"a question that is not allowed", cell, []said{status(wire.Busy), input, question}, "does not allow it"},
		{"two questions at once", asking, []said{status(wire.Busy), input, question, question}, "before the one before is answered"},
		{"a question after the end", asking, []said{status(wire.Busy), input, replied("execute_reply", okReply), status(wire.Idle), question}, "after the end"},
		{"text on stdin", asking, []said{{wire.Stdin, wire.Stream{Name: "stdout", Text: "x"}, nil, false}}, "does not belong on stdin"},
		{"a reply on IOPub", cell, []said{status(wire.Busy), published("execute_reply", okReply)}, "does not belong on iopub"},
		{"text on shell", cell, []said{replied("stream", `{"name":"stdout","text":"x"}`)}, "does not belong on shell"},
		{"a reply on control to shell's", cell, []said{{wire.Control, rawContent{"execute_reply", okReply}, nil, false}}, "the request went to shell"},
		{"two replies", cell, []said{replied("execute_reply", okReply), replied("execute_reply", okReply)}, "second reply"},
		{"a reply of another type", cell, []said{replied("interrupt_reply", `{"status":"ok"}`)}, "is not a execute_reply"},

		{"other numbers", cell, []said{
			status(wire.Busy), input, replied("execute_reply", strings.Replace(okReply, "1", "2", 1)), status(wire.Idle),
		}, "has the number 1"},
		{"another input", cell, []said{
			status(wire.Busy), published("execute_input", `{"code":"y","execution_count":1}`), replied("execute_reply", okReply), status(wire.Idle),
		}, `repeats "y"`},
		{"an error on IOPub only", cell, []said{
			status(wire.Busy), input, published("error", "{"+failure+"}"), replied("execute_reply", okReply), status(wire.Idle),
		}, "none in the reply"},
		{"an error in the reply only", cell, []said{
			status(wire.Busy), input, replied("execute_reply", `{"status":"error","execution_count":1,`+failure+`}`), status(wire.Idle),
		}, "none on IOPub"},
		{"another error", cell, []said{
			status(wire.Busy), input, published("error", strings.Replace("{"+failure+"}", `"v"`, `"w"`, 1)),
			replied("execute_reply", `{"status":"error","execution_count":1,`+failure+`}`), status(wire.Idle),
		}, "in the reply"},
		{"a silent error", silent, []said{
			status(wire.Busy), replied("execute_reply", `{"status":"error","execution_count":1,`+failure+`}`), status(wire.Idle),
		}, ""},
		{"a silent cell with text", silent, []said{status(wire.Busy), published("stream", `{"name":"stdout","text":"x"}`)}, "silent"},
		{"an aborted cell", cell, []said{status(wire.Busy), replied("execute_reply", `{"status":"aborted"}`), status(wire.Idle)}, ""},
		{"an aborted cell that began", cell, []said{status(wire.Busy), input, replied("execute_reply", `{"status":"aborted"}`), status(wire.Idle)}, "aborted"},
		{"no value", valued, []said{status(wire.Busy), input, replied("execute_reply", okReply), status(wire.Idle)}, "user expressions"},
		{"completion", wire.CompleteRequest{Code: "é a", CursorPos: 3}, completes(`["ab"]`, 2, 3), ""},
		{"completion counted in bytes", wire.CompleteRequest{Code: "é a", CursorPos: 3}, completes(`["ab"]`, 3, 4), "of 3 code points"},
		{"completion backwards", wire.CompleteRequest{Code: "é a", CursorPos: 3}, completes(`["ab"]`, 3, 2), "[3, 2)"},
		{"completion behind the cursor", wire.CompleteRequest{Code: "é a", CursorPos: 1}, completes(`["ab"]`, 2, 3), "behind the cursor"},
		{"no completion, elsewhere", wire.CompleteRequest{Code: "é a", CursorPos: 3}, completes(`[]`, 0, 0), "no matches"},
		{"a completion twice", wire.CompleteRequest{Code: "a", CursorPos: 1}, completes(`["ab","ab"]`, 0, 1), "twice"},
		{"nothing to inspect", wire.InspectRequest{Code: "a"}, answered("inspect_reply", `{"status":"ok","found":false,"data":{},"metadata":{}}`), ""},
		{"nothing, and data", wire.InspectRequest{Code: "a"}, answered("inspect_reply",
			`{"status":"ok","found":false,"data":{"text/plain":"x"},"metadata":{}}`), "yet data"},
		{"documentation without text", wire.InspectRequest{Code: "a"}, answered("inspect_reply",
			`{"status":"ok","found":true,"data":{"text/html":"x"},"metadata":{}}`), "no text/plain"},
		{"an indent of complete code", wire.IsCompleteRequest{Code: "a"}, answered("is_complete_reply", `{"status":"complete","indent":""}`), "indent"},
		{"incomplete without an indent", wire.IsCompleteRequest{Code: "a"}, answered("is_complete_reply", `{"status":"incomplete"}`), "indent"},
		{"too much history", wire.HistoryRequest{HistAccessType: "tail", N: 1}, remembers(`[1,1,"a"],[1,2,"b"]`), "asked for 1"},
		{"history with output unasked", wire.HistoryRequest{HistAccessType: "tail"}, remembers(`[1,1,["a","b"]]`), "with output"},
		{"history without output", wire.HistoryRequest{HistAccessType: "tail", Output: true}, remembers(`[1,1,"a"]`), "with output"},
		{"history backwards", wire.HistoryRequest{HistAccessType: "tail"}, remembers(`[1,2,"a"],[1,1,"b"]`), "older"},
		{"history in order", wire.HistoryRequest{HistAccessType: "tail"}, remembers(`[1,2,"a"],[2,1,"a"]`), ""},
		{"history that is not unique", wire.HistoryRequest{HistAccessType: "search", Unique: true}, remembers(`[1,1,"a"],[1,2,"a"]`), "twice"},
		{"comms of another target", wire.CommInfoRequest{TargetName: "a"}, answered("comm_info_reply",
			`{"status":"ok","comms":{"c":{"target_name":"b"}}}`), "asked for"},
		{"a version that is claimed only", wire.KernelInfoRequest{}, answered("kernel_info_reply",
			strings.Replace(kernelInfoWith(""), "5.5", "5.6", 1)), "header's version"},
		{"restart forgotten", wire.ShutdownRequest{Restart: true}, []said{
			status(wire.Busy), published("shutdown_reply", `{"status":"ok","restart":false}`),
			replied("shutdown_reply", `{"status":"ok","restart":false}`), status(wire.Idle),
		}, "restart is false"},
		{"shutdown told to one", wire.ShutdownRequest{}, answered("shutdown_reply", `{"status":"ok","restart":false}`), "0 shutdown_reply"},
		{"debug reply to another request", wire.DebugRequest{Type: "request", Seq: 2, Command: "debugInfo"}, answered("debug_reply",
			`{"type":"response","seq":1,"request_seq":1,"success":true,"command":"debugInfo","body":{}}`), "asked for"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := judge(t, tt.request, tt.said)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestFrames checks what decoding forgives and the client does not.
func TestFrames(t *testing.T) {
	whole := func() [][]byte {
		return [][]byte{[]byte("topic"), []byte("<IDS|MSG>"), []byte("0a"), []byte("{}"), []byte("{}"), []byte("{}"), []byte("{}"), {0xff}}
	}
	tests := []struct {
		name string
		edit func(frames [][]byte) [][]byte
		want string
	}{
		{"whole", func(f [][]byte) [][]byte { return f }, ""},
		{"no key", func(f [][]byte) [][]byte { f[2] = nil; return f }, ""},
		{"no delimiter", func(f [][]byte) [][]byte { return f[2:] }, "no message"},
		{"no content", func(f [][]byte) [][]byte { return f[:6] }, "no message"},
		{"a signature in capitals", func(f [][]byte) [][]byte { f[2] = []byte("0A"); return f }, "lower-case"},
		{"null for a parent", func(f [][]byte) [][]byte { f[4] = []byte("null"); return f }, "parent header is no object"},
		{"no parent", func(f [][]byte) [][]byte { f[4] = nil; return f }, "parent header is no object"},
		{"null for metadata", func(f [][]byte) [][]byte { f[5] = []byte("null"); return f }, "metadata is no object"},
		{"an array for content", func(f [][]byte) [][]byte { f[6] = []byte("[]"); return f }, "content is no object"},
		{"NaN", func(f [][]byte) [][]byte { f[6] = []byte(`{"a":NaN}`); return f }, "content is no object"},
		{"half a character", func(f [][]byte) [][]byte { f[6] = []byte("{\"a\":\"\xc3\"}"); return f }, "not UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := checkFrames(tt.edit(whole()))
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}

// TestOtherClients checks that the order of what answers other clients is checked too, from where one joins.
func TestOtherClients(t *testing.T) {
	tests := []struct{ name, messages, want string }{
		{"whole", "busy execute_input idle stream", ""},
		{"joined in the middle", "stream idle", ""},
		{"joined at the end", "idle", ""},
		{"joined late", "busy idle busy", "out of place"},
		{"idle twice", "stream idle idle", "out of place"},
		{"output before the input", "busy stream", "before execute_input"},
		{"late result", "idle execute_result", "after idle"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &Client{t: t, foreign: make(map[string]*progress)}
			var err error
			for _, word := range strings.Fields(tt.messages) {
				m := &wire.Message{Header: wire.Header{MsgType: word}, Content: []byte("{}")}
				if word == "busy" || word == "idle" {
					m.Header.MsgType, m.Content = "status", []byte(`{"execution_state":"`+word+`"}`)
				}
				if err != nil {
					t.Fatal(err)
				}
				err = c.takeOther(wire.Header{MsgID: "1", MsgType: "execute_request"}, m)
			}
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
		})
	}
}
