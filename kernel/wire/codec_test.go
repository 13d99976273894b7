package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func codec(t testing.TB, key, scheme string) *Codec {
	t.Helper()
	c, err := NewCodec(ConnectionInfo{Key: key, SignatureScheme: scheme})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// frames signs parts and puts them behind a delimiter.
func frames(c *Codec, parts ...string) [][]byte {
	out := [][]byte{delimiter, nil}
	for _, p := range parts {
		out = append(out, []byte(p))
	}
	out[1] = c.signer.sign(out[2:min(len(out), 6)])
	return out
}

const requestHeader = `{"msg_id":"m1","session":"s1","username":"u","date":"2026-01-02T03:04:05.000006Z","msg_type":"execute_request","version":"5.4","big":123456789012345678901234567890}`

const (
	sha256Want = "9b14d94617bffb278285cea390d9dc17e01ec3188dba313f9548021906557a7b"
	md5Want    = "e1eb7abd412c65b8951391ab5a93126e"
	sha512Want = "9cb30a3d92111c6ea9a137577025471caeb47fd0279ee25ed87844d712742dc4bae5fa70b7cd830a57c9026cbb0d921128d0e8a4fa722edd4fc570028ed981b0"
)

// The expected values were computed with Python's hmac module: hmac.new(b"secret", b'{"a":1}{}{}{"b":2}',
// name).hexdigest().
func TestSignature(t *testing.T) {
	parts := [][]byte{[]byte(`{"a":1}`), []byte(`{}`), []byte(`{}`), []byte(`{"b":2}`)}
	for _, tc := range []struct{ scheme, key, want string }{
		{"hmac-sha256", "secret", sha256Want},
		{"", "secret", sha256Want},
		{"hmac-md5", "secret", md5Want},
		{"hmac-sha512", "secret", sha512Want},
		{"hmac-sha256", "", ""},
	} {
		t.Run(tc.scheme+"/"+tc.key, func(t *testing.T) {
			s := codec(t, tc.key, tc.scheme).signer
			got := s.sign(parts)
			if string(got) != tc.want || got == nil {
				t.Fatalf("got %q, want %q and not nil", got, tc.want)
			}
			if !s.verify(got, parts) {
				t.Fatal("own signature refused")
			}
		})
	}
}

func TestUnknownScheme(t *testing.T) {
	for _, scheme := range []string{"hmac-sha3", "sha256", "none", "HMAC-SHA256"} {
		if _, err := NewCodec(ConnectionInfo{Key: "k", SignatureScheme: scheme}); err == nil {
			t.Errorf("%s: got no error", scheme)
		}
	}
}

func TestDecode(t *testing.T) {
	c := codec(t, "secret", "")
	in := frames(c, requestHeader, `{}`, `{"cellId":"x"}`, `{"code":"1+1"}`, "buffer", "<IDS|MSG>", "last")
	in = append([][]byte{[]byte("id1"), {}}, in...)
	m, err := c.Decode(in)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%q", m.Identities), `["id1" ""]`; got != want {
		t.Errorf("identities: got %s, want %s", got, want)
	}
	if got, want := fmt.Sprintf("%q", m.Buffers), `["buffer" "<IDS|MSG>" "last"]`; got != want {
		t.Errorf("buffers: got %s, want %s", got, want)
	}
	want := Header{MsgID: "m1", Session: "s1", Username: "u", Date: "2026-01-02T03:04:05.000006Z", MsgType: "execute_request", Version: "5.4"}
	if m.Header != want {
		t.Errorf("header: got %+v, want %+v", m.Header, want)
	}
	if string(m.RawHeader) != requestHeader {
		t.Errorf("raw header: got %s, want %s", m.RawHeader, requestHeader)
	}
	// Appending to the identities must not write into the frames.
	_ = append(m.Identities, []byte("x"))
	if !bytes.Equal(in[2], delimiter) {
		t.Errorf("delimiter became %q", in[2])
	}
}

func TestDecodeRefuses(t *testing.T) {
	c := codec(t, "secret", "")
	signed := func(parts ...string) [][]byte { return frames(c, parts...) }
	forged := func(change func(f [][]byte) [][]byte) [][]byte {
		return change(signed(requestHeader, `{}`, `{}`, `{}`))
	}
	for _, tc := range []struct {
		name   string
		frames [][]byte
		want   error
	}{
		{"nothing", nil, ErrFraming},
		{"no delimiter", [][]byte{[]byte("a"), []byte("b")}, ErrFraming},
		{"delimiter only", [][]byte{delimiter}, ErrFraming},
		{"no content", signed(requestHeader, `{}`, `{}`), ErrFraming},
		{"no signature", forged(func(f [][]byte) [][]byte { f[1] = nil; return f }), ErrSignature},
		{"short signature", forged(func(f [][]byte) [][]byte { f[1] = f[1][:63]; return f }), ErrSignature},
		{"upper-case signature", forged(func(f [][]byte) [][]byte { f[1] = bytes.ToUpper(f[1]); return f }), ErrSignature},
		{"changed content", forged(func(f [][]byte) [][]byte { f[5] = []byte(`{"code":"x"}`); return f }), ErrSignature},
		{"second delimiter", forged(func(f [][]byte) [][]byte { return append([][]byte{delimiter}, f...) }), ErrSignature},
		{"header is no object", signed(`[]`, `{}`, `{}`, `{}`), ErrJSON},
		{"header is null", signed(`null`, `{}`, `{}`, `{}`), ErrJSON},
		{"header is empty", signed(``, `{}`, `{}`, `{}`), ErrJSON},
		{"no msg_type", signed(`{"msg_id":"1"}`, `{}`, `{}`, `{}`), ErrJSON},
		{"msg_type of another kind", signed(`{"msg_type":5}`, `{}`, `{}`, `{}`), ErrJSON},
		{"content is null", signed(requestHeader, `{}`, `{}`, `null`), ErrJSON},
		{"content is a list", signed(requestHeader, `{}`, `{}`, `[1]`), ErrJSON},
		{"content is cut", signed(requestHeader, `{}`, `{}`, `{"code":`), ErrJSON},
		{"content goes on", signed(requestHeader, `{}`, `{}`, `{}{}`), ErrJSON},
		{"NaN", signed(requestHeader, `{}`, `{}`, `{"x":NaN}`), ErrJSON},
		{"invalid UTF-8", signed(requestHeader, `{}`, `{}`, "{\"code\":\"\xff\"}"), ErrJSON},
		{"metadata is a list", signed(requestHeader, `{}`, `[]`, `{}`), ErrJSON},
		{"parent is a string", signed(requestHeader, `"x"`, `{}`, `{}`), ErrJSON},
		{"nested too deep", signed(requestHeader, `{}`, `{}`, `{"a":`+strings.Repeat("[", 20000)+strings.Repeat("]", 20000)+`}`), ErrJSON},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m, err := c.Decode(tc.frames)
			if !errors.Is(err, tc.want) || m != nil {
				t.Fatalf("got %v, %v, want %v", m, err, tc.want)
			}
		})
	}
}

func TestDecodeLenient(t *testing.T) {
	c := codec(t, "", "")
	for _, tc := range []struct {
		name  string
		parts []string
	}{
		{"parent and metadata null", []string{requestHeader, `null`, `null`, `{}`}},
		{"parent empty", []string{requestHeader, ``, ``, `{}`}},
		{"space around", []string{" \n" + requestHeader + "\n", ` {}`, "\t{} ", "\r\n{} "}},
		{"header with little", []string{`{"msg_type":"x","unknown":[1]}`, `{}`, `{}`, `{}`}},
		{"fields of other types", []string{`{"msg_type":"x","msg_id":5,"session":7,"version":5}`, `{"msg_id":5}`, `{}`, `{}`}},
		{"null user name", []string{`{"msg_type":"x","username":null}`, `{}`, `{}`, `{}`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := frames(c, tc.parts...)
			f[1] = []byte("ignored without a key")
			if _, err := c.Decode(f); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestReplay(t *testing.T) {
	c := codec(t, "secret", "")
	c.RefuseReplays()
	message := func(i int) [][]byte {
		return frames(c, fmt.Sprintf(`{"msg_type":"x","msg_id":"%d"}`, i), `{}`, `{}`, `{}`)
	}
	for i := range replayMemory + 1 {
		if _, err := c.Decode(message(i)); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
	}
	for _, i := range []int{1, 2, replayMemory} {
		if _, err := c.Decode(message(i)); !errors.Is(err, ErrReplay) {
			t.Errorf("message %d again: got %v, want %v", i, err, ErrReplay)
		}
	}
	// The memory is bounded: the first message fell out of it, and it is as large as it ever gets.
	if _, err := c.Decode(message(0)); err != nil {
		t.Errorf("message 0 after %d others: %v", replayMemory, err)
	}
	if got := len(c.replay.seen); got != replayMemory || len(c.replay.ring) != replayMemory {
		t.Errorf("remembered %d signatures in a ring of %d, want %d", got, len(c.replay.ring), replayMemory)
	}
	unsigned := codec(t, "", "")
	unsigned.RefuseReplays()
	for range 2 {
		if _, err := unsigned.Decode(frames(unsigned, requestHeader, `{}`, `{}`, `{}`)); err != nil {
			t.Errorf("without a key: %v", err)
		}
	}
}

func TestEncode(t *testing.T) {
	c := codec(t, "secret", "")
	request, err := c.Decode(frames(c, requestHeader, `{}`, `{}`, `{}`))
	if err != nil {
		t.Fatal(err)
	}
	sender := NewSender("kernel")
	m, err := sender.New(request, Stream{Name: "stdout", Text: "a<b & c\u2028\xff"})
	if err != nil {
		t.Fatal(err)
	}
	m.Identities = [][]byte{[]byte("stream")}
	m.Buffers = [][]byte{{1}, {}}
	out, err := c.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(out) != 9 || string(out[0]) != "stream" || string(out[1]) != "<IDS|MSG>" {
		t.Fatalf("got %q, want topic, delimiter, signature, 4 parts and 2 buffers", out)
	}
	if got := string(out[4]); got != requestHeader {
		t.Errorf("parent header: got %s, want the request's bytes %s", got, requestHeader)
	}
	if got, want := string(out[6]), `{"name":"stdout","text":"a<b & c\u2028\ufffd"}`; got != want {
		t.Errorf("content: got %s, want %s", got, want)
	}
	back, err := c.Decode(out)
	if err != nil {
		t.Fatal(err)
	}
	if back.Header != m.Header || back.Header.Session != sender.Session() {
		t.Errorf("header: got %+v, want %+v", back.Header, m.Header)
	}
	if parent, err := back.Parent(); err != nil || parent.MsgID != "m1" {
		t.Errorf("parent: got %+v, %v", parent, err)
	}
}

func TestEncodeMissingParts(t *testing.T) {
	c := codec(t, "", "")
	out, err := c.Encode(&Message{Header: Header{MsgType: "x"}, Metadata: json.RawMessage("null")})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprintf("%q", out[3:]), `["{}" "{}" "{}"]`; got != want || len(out[1]) != 0 {
		t.Errorf("got signature %q and parts %s, want none and %s", out[1], got, want)
	}
	if _, err := c.Encode(&Message{Header: Header{MsgType: "x"}, Content: json.RawMessage("[]")}); err == nil {
		t.Error("content that is a list: got no error")
	}
}

func TestSenderIDs(t *testing.T) {
	a, b := NewSender("x"), NewSender("x")
	if a.Session() == b.Session() {
		t.Fatalf("two senders share session %s", a.Session())
	}
	seen := make(map[string]bool)
	for range 1000 {
		m, err := a.New(nil, InterruptReply{})
		if err != nil {
			t.Fatal(err)
		}
		if seen[m.Header.MsgID] {
			t.Fatalf("msg_id %s twice", m.Header.MsgID)
		}
		seen[m.Header.MsgID] = true
		if string(m.ParentHeader) != "{}" || m.Header.Time().IsZero() {
			t.Fatalf("got parent %s, date %s", m.ParentHeader, m.Header.Date)
		}
	}
}

func FuzzDecode(f *testing.F) {
	signed := codec(f, "secret", "")
	for _, seed := range [][]string{
		{requestHeader, `{}`, `{}`, `{"code":"1"}`},
		{requestHeader, `null`, ``, `{}`, "buffer", "<IDS|MSG>"},
		{`{"msg_type":1}`, `[]`, `{}`, `{}`},
		{"{\"msg_type\":\"\xff\"}", `{}`, `{}`, `{}`},
	} {
		f.Add(bytes.Join(frames(signed, seed...), []byte("\n")), true)
		f.Add(bytes.Join(frames(codec(f, "", ""), seed...), []byte("\n")), false)
	}
	f.Add([]byte("id\n\n<IDS|MSG>"), false)
	f.Add([]byte{}, false)
	open := codec(f, "", "")
	f.Fuzz(func(t *testing.T, data []byte, sign bool) {
		in := bytes.Split(data, []byte("\n"))
		c := open
		if sign {
			c = signed
		}
		m, err := c.Decode(in)
		if err != nil {
			if m != nil {
				t.Fatalf("got a message and the error %v", err)
			}
			return
		}
		if m.Header.MsgType == "" {
			t.Fatal("accepted without msg_type")
		}
		// What was accepted can be answered, and the answer is understood by the same rules.
		reply, err := NewSender("k").New(m, ExecuteReply{})
		if err != nil {
			t.Fatal(err)
		}
		reply.Identities, reply.Buffers = m.Identities, m.Buffers
		out, err := c.Encode(reply)
		if err != nil {
			t.Fatal(err)
		}
		back, err := c.Decode(out)
		if err != nil {
			t.Fatalf("own reply refused: %v", err)
		}
		if !bytes.Equal(back.ParentHeader, m.RawHeader) {
			t.Fatalf("parent header %q, want %q", back.ParentHeader, m.RawHeader)
		}
		if len(back.Identities) != len(m.Identities) || len(back.Buffers) != len(m.Buffers) {
			t.Fatalf("got %d identities and %d buffers, want %d and %d", len(back.Identities), len(back.Buffers), len(m.Identities), len(m.Buffers))
		}
		// Typing the content may fail but not panic.
		for _, v := range []any{new(ExecuteRequest), new(CompleteRequest), new(InspectRequest), new(HistoryRequest), new(InputReply), new(CommOpen)} {
			_ = m.Unmarshal(v)
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	c := codec(b, "secret", "")
	sender := NewSender("kernel")
	request := &Message{RawHeader: json.RawMessage(requestHeader)}
	b.ReportAllocs()
	for b.Loop() {
		m, err := sender.New(request, Stream{Name: "stdout", Text: "line\n"})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := c.Encode(m); err != nil {
			b.Fatal(err)
		}
	}
}
