package kernel

import (
	"os"
	"strconv"

	"golang.org/x/sys/windows"
)

// standard has the handles and the variables that descriptors 0 to 2 are on Windows, where the runtime looks a handle up each
// time that it writes. A C library that has looked it up before goes on with the old one.
var standard = map[int]struct {
	handle   uint32
	variable **os.File
}{0: {windows.STD_INPUT_HANDLE, &os.Stdin}, 1: {windows.STD_OUTPUT_HANDLE, &os.Stdout}, 2: {windows.STD_ERROR_HANDLE, &os.Stderr}}

// duplicate returns a duplicate of a standard handle, which programs that are started do not get.
func duplicate(number int) (*os.File, error) {
	h, err := windows.GetStdHandle(standard[number].handle)
	if err != nil {
		return nil, err
	}
	self := windows.CurrentProcess()
	var copied windows.Handle
	if err := windows.DuplicateHandle(self, h, self, &copied, 0, false, windows.DUPLICATE_SAME_ACCESS); err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(copied), "descriptor "+strconv.Itoa(number)), nil
}

// redirect makes a file a standard handle.
func redirect(number int, to *os.File) error {
	*standard[number].variable = to
	return windows.SetStdHandle(standard[number].handle, windows.Handle(to.Fd()))
}
