package doctor

// isOwner is not asked on Windows, where ownership does not decide.
func isOwner(string) bool { return false }

// passwordHome returns nothing: Windows has no password database, and Jupyter would not look there.
func passwordHome() string { return "" }
