package wire

import (
	"encoding/json"
	"errors"
	"testing"
)

func TestRegistrationFrames(t *testing.T) {
	info := ConnectionInfo{
		Transport: "tcp", IP: "127.0.0.1", Key: "secret", ShellPort: 1, ControlPort: 2, StdinPort: 3, IOPubPort: 4, HBPort: 5,
		Registration: Registration{IP: "::1", Port: 6000, KernelID: "k1"},
	}
	codec, err := NewCodec(info)
	if err != nil {
		t.Fatal(err)
	}
	frames, err := codec.EncodeRegistration(info)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"kernel_id":"k1","shell_port":"1","control_port":"2","stdin_port":"3","iopub_port":"4","hb_port":"5"}`
	if len(frames) != 3 || string(frames[0]) != "<IDS|MSG>" || string(frames[2]) != want {
		t.Fatalf("got %q, want the delimiter, a signature and %s", frames, want)
	}
	if !codec.signer.verify(frames[1], frames[2:]) {
		t.Error("the signature is wrong")
	}
	if network, address := info.Registration.Address(); network != "tcp" || address != "[::1]:6000" {
		t.Errorf("got %s %s", network, address)
	}
	data, err := json.Marshal(info)
	if err != nil {
		t.Fatal(err)
	}
	// A kernel that starts again from the file that the first one completed registers again.
	again, err := ParseConnection(data)
	if err != nil || again.Registration != info.Registration || again.ShellPort != 0 {
		t.Errorf("got %+v, %v from %s", again, err, data)
	}

	signed := func(content string) [][]byte {
		return [][]byte{delimiter, codec.signer.sign([][]byte{[]byte(content)}), []byte(content)}
	}
	for _, tc := range []struct {
		name   string
		frames [][]byte
		want   error
	}{
		{"right", signed("ACK"), nil},
		{"right as JSON", signed(`"ACK"`), nil},
		{"behind an empty frame", append([][]byte{{}}, signed("ACK")...), nil},
		{"our own words", frames, ErrFraming},
		{"another word", signed("NAK"), ErrFraming},
		{"unsigned", [][]byte{delimiter, {}, []byte("ACK")}, ErrSignature},
		{"no delimiter", [][]byte{[]byte("ACK")}, ErrFraming},
		{"nothing", nil, ErrFraming},
		{"cut short", signed("ACK")[:2], ErrFraming},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if err := codec.CheckAcknowledgement(tc.frames); !errors.Is(err, tc.want) {
				t.Errorf("got %v, want %v", err, tc.want)
			}
		})
	}
}
