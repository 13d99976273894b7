package wire

import "unicode/utf8"

// ByteOffset returns the byte offset in code of a cursor position, which the protocol counts in Unicode code points
// (not bytes, not UTF-16 units). A position outside of code is moved to its nearer end.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html#cursor-pos-and-unicode-offsets
func ByteOffset(code string, position int) int {
	if position <= 0 {
		return 0
	}
	for offset := range code {
		if position == 0 {
			return offset
		}
		position--
	}
	return len(code)
}

// CodePoints returns the cursor position of a byte offset in code, the inverse of ByteOffset. An offset outside of
// code is moved to its nearer end.
func CodePoints(code string, offset int) int {
	return utf8.RuneCountInString(code[:max(0, min(offset, len(code)))])
}
