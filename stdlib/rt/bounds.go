package rt

// The runtime's own errors say best what the runtime would say. So these functions do what lowered code was about to do, to
// slices of the same lengths whose elements take no memory.

// IndexError panics as Go does for an index that is not below a length.
func IndexError(i, n int) {
	_ = make([]struct{}, n)[i]
}

// SliceError panics as Go does for bounds of a slice expression that do not fit: of s[low:high], or of s[low:high:limit]
// where three is set. text has the string that is sliced, if it is one.
func SliceError(three bool, low, high, limit, length, capacity int, text string) {
	if text != "" {
		_ = text[low:high]
	}
	s := make([]struct{}, length, capacity)
	if three {
		_ = s[low:high:limit]
	}
	_ = s[low:high]
}
