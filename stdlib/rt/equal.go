package rt

// Equal is == for two interface values.
func Equal(a, b any) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	return Newest(a) == Newest(b)
}
