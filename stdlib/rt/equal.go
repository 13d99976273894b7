package rt

// Equal is == for two interface values.
func Equal(a, b any) bool { return a == b }
