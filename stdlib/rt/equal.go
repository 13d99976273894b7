package rt

// Equal is == for two interface values.
func Equal(a, b any) bool {
	if a == b {
		return true
	}
	return succeeded() && a != nil && b != nil && Newest(a) == Newest(b)
}
