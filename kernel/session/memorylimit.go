package session

import "orthant/kernel/session/internal/memory"

// MemoryVariable is the environment variable that sets how much memory cells may use.
const MemoryVariable = memory.Variable

// MemoryLimit returns how many bytes of memory cells may use, 0 where nothing limits them, and a text that says where the
// limit is from. The error is that of a MemoryVariable which is no size.
func MemoryLimit() (bytes uint64, text string, err error) {
	limit, err := memory.Read()
	if err != nil {
		return 0, "", err
	}
	if limit.Bytes == 0 {
		return 0, "any amount of memory", nil
	}
	return limit.Bytes, limit.String(), nil
}
