package rt

import "fmt"

// IndexError panics as Go does for an index that is not below a length.
func IndexError(i, n int) {
	if i < 0 {
		panic(RuntimeError(fmt.Sprintf("index out of range [%d]", i)))
	}
	panic(RuntimeError(fmt.Sprintf("index out of range [%d] with length %d", i, n)))
}

// SliceError panics as Go does for bounds of a slice expression that do not fit. The bits of given say which of low, high and
// limit are written; the others have their defaults. text is set for strings, which have no capacity.
func SliceError(given, low, high, limit, length, capacity int, text bool) {
	const wrote = 1 << 2 // limit is written
	have := fmt.Sprintf("capacity %d", capacity)
	if text {
		have = fmt.Sprintf("length %d", length)
	}
	say := func(format string, args ...any) {
		panic(RuntimeError("slice bounds out of range " + fmt.Sprintf(format, args...)))
	}
	if given&wrote != 0 {
		switch {
		case limit < 0:
			say("[::%d]", limit)
		case limit > capacity:
			say("[::%d] with %s", limit, have)
		case high < 0:
			say("[:%d:]", high)
		case high > limit:
			say("[:%d:%d]", high, limit)
		case low < 0:
			say("[%d::]", low)
		}
		say("[%d:%d:]", low, high)
	}
	switch {
	case high < 0:
		say("[:%d]", high)
	case high > limit:
		say("[:%d] with %s", high, have)
	case low < 0:
		say("[%d:]", low)
	}
	say("[%d:%d]", low, high)
}
