package transport

import (
	"bufio"
	"encoding/binary"
	"io"
)

// The flag bits of a ZMTP frame; others must be zero.
//
// https://rfc.zeromq.org/spec/23/#formal-grammar
const (
	flagMore    = 1 << 0 // the message goes on in the next frame
	flagLong    = 1 << 1 // the size is 8 bytes, not 1
	flagCommand = 1 << 2 // not a message but a command

	knownFlags = flagMore | flagLong | flagCommand
)

// maxHeader is the length of the longest frame header: flags and 8 bytes of size.
const maxHeader = 9

// A frameHeader is what precedes the body of a frame.
type frameHeader struct {
	flags byte
	size  uint64
}

func (h frameHeader) more() bool    { return h.flags&flagMore != 0 }
func (h frameHeader) command() bool { return h.flags&flagCommand != 0 }

// readHeader reads a frame header and appends its bytes to raw.
func readHeader(r io.Reader, raw []byte) (frameHeader, []byte, error) {
	var buf [maxHeader]byte
	if _, err := io.ReadFull(r, buf[:2]); err != nil {
		return frameHeader{}, raw, err
	}
	h := frameHeader{flags: buf[0], size: uint64(buf[1])}
	if h.flags&flagLong == 0 {
		return h, append(raw, buf[:2]...), nil
	}
	if _, err := io.ReadFull(r, buf[2:]); err != nil {
		return frameHeader{}, raw, err
	}
	h.size = binary.BigEndian.Uint64(buf[1:])
	return h, append(raw, buf[:]...), nil
}

// writeFrame writes one frame. We write frames ourselves, not by zmq4.Conn.SendMsg, which makes two system calls a
// frame and gives no word on how far it got.
func writeFrame(w *bufio.Writer, flags byte, body []byte) error {
	if len(body) <= 255 {
		w.WriteByte(flags)
		w.WriteByte(byte(len(body)))
	} else {
		var buf [maxHeader]byte
		buf[0] = flags | flagLong
		binary.BigEndian.PutUint64(buf[1:], uint64(len(body)))
		w.Write(buf[:])
	}
	_, err := w.Write(body) // bufio keeps the first error and returns it from here on
	return err
}

// writeMessage writes the frames of one message.
func writeMessage(w *bufio.Writer, frames [][]byte) error {
	for i, f := range frames {
		var flags byte
		if i < len(frames)-1 {
			flags = flagMore
		}
		if err := writeFrame(w, flags, f); err != nil {
			return err
		}
	}
	return nil
}

// writeCommand writes a command: its name, preceded by the name's length, and its data.
func writeCommand(w *bufio.Writer, name string, data []byte) error {
	body := make([]byte, 0, 1+len(name)+len(data))
	body = append(body, byte(len(name)))
	body = append(body, name...)
	return writeFrame(w, flagCommand, append(body, data...))
}
