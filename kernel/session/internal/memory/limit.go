// Package memory says how much memory cells may use, and reads sizes that people write.
//
//	limit, err := memory.Read()
//	if err != nil {
//		return err // ORTHANT_MEMORY is no size
//	}
//	fmt.Println(limit) // 12.3 GiB (80 % of the memory there is)
//
// It watches nothing; package session does.
package memory

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

// Variable is the environment variable that sets the limit.
const Variable = "ORTHANT_MEMORY"

// share is the part of the memory that cells may use by default, in percent. The rest is for what the garbage collector
// has not found yet, and for other processes.
const share = 80

// A Limit is how much memory the heap may have. The zero value is no limit.
type Limit struct {
	Bytes uint64 // 0 where nothing limits it
	set   bool   // by Variable
}

// Read returns the limit that Variable sets, or else the default: 80 % of the smaller of the memory that the process's
// control groups allow and the physical memory; no limit where neither is known.
func Read() (Limit, error) {
	if text := os.Getenv(Variable); text != "" {
		n, err := ParseSize(text)
		if err != nil {
			return Limit{}, fmt.Errorf("%s=%q: %w", Variable, text, err)
		}
		return Limit{n, true}, nil
	}
	return Limit{Bytes: uint64(float64(available()) * share / 100)}, nil
}

// String returns the limit, and where it is from.
func (l Limit) String() string {
	if l.set {
		return Size(l.Bytes) + " (" + Variable + ")"
	}
	return fmt.Sprintf("%s (%d %% of the memory there is; %s sets another)", Size(l.Bytes), share, Variable)
}

// units are the suffixes of sizes.
var units = []struct {
	suffix string
	bytes  float64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// ParseSize reads a size above 0: bytes, or a number with a suffix, which may have a decimal point.
func ParseSize(text string) (uint64, error) {
	text = strings.TrimSpace(text)
	for _, u := range units {
		if number, ok := strings.CutSuffix(text, u.suffix); ok {
			n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
			if n *= u.bytes; err != nil || !(n >= 1 && n < math.MaxInt64) {
				break
			}
			return uint64(n), nil
		}
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil || n == 0 {
		return 0, fmt.Errorf("want a number of bytes, or one with KiB, MiB or GiB behind it")
	}
	return n, nil
}

// Size writes a number of bytes for people.
func Size(n uint64) string {
	for _, u := range units {
		if float64(n) >= u.bytes {
			return strconv.FormatFloat(float64(n)/u.bytes, 'f', 1, 64) + " " + u.suffix
		}
	}
	return strconv.FormatUint(n, 10) + " bytes"
}

// available returns the bytes of memory that the process may use, 0 where that is not known.
func available() uint64 {
	n := physical()
	if group := controlGroup(); group > 0 && (n == 0 || group < n) {
		n = group
	}
	return n
}
