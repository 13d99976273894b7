package rtype

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// A name is what the runtime keeps of the name of a type, a field or a method.
type name struct {
	text, tag          string
	pkgPath            string // of a method that is not exported, where it is not that of its type
	exported, embedded bool
}

// encode returns a name as the runtime reads it: flags, text and tag behind their lengths, the offset of the path's name.
func (n name) encode() *byte {
	var flags byte
	for i, is := range []bool{n.exported, n.tag != "", n.pkgPath != "", n.embedded} {
		if is {
			flags |= 1 << i
		}
	}
	b := appendText([]byte{flags}, n.text)
	if n.tag != "" {
		b = appendText(b, n.tag)
	}
	if n.pkgPath != "" {
		b = binary.NativeEndian.AppendUint32(b, uint32(name{text: n.pkgPath}.offset()))
	}
	return unsafe.SliceData(b)
}

// appendText appends a text behind its length.
func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// offset registers a name with the runtime.
func (n name) offset() int32 { return addReflectOff(unsafe.Pointer(n.encode())) }

// exported reports whether a name is exported.
func exported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}
