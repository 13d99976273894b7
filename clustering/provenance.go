package clustering

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"runtime/debug"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/thin"
)

// Provenance says where a result came from: with the same Data, Method, Options and Version, on the same CPU path, a fit
// repeats bit for bit.
type Provenance struct {
	// Data is "sha256:" and the hash of the input's shape and of its numbers, row by row, little-endian;
	// of a sparse matrix, of the entries that are not zero with their columns.
	Data string
	// Method is the method with its parameters, as a Go literal without what is zero.
	Method string
	// Options are the options that influence the result.
	Options string
	// Version is the version of the orthant module in this binary, "(devel)" for a build from a work tree, followed by the
	// revision where the build knows it.
	Version string
	// CPU names the kernels that did the sums: "avx" (assembly of this module), "gonum-amd64" (gonum's SSE2 assembly, where the
	// processor has no AVX) or "portable" (plain Go, the only path on other architectures). ORTHANT_CPU in the environment
	// forces one when the program starts. All of them add in the same documented order and round after every operation, so
	// that they give the same bits; the field is there to tell them apart from kernels that do not.
	CPU string
}

// hash is the Data of a Provenance for m.
func hash(m *mat.Dense) string {
	rows, cols := m.Dims()
	sum := sha256.New()
	buf := make([]byte, 0, 8*max(cols, 2))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(rows))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(cols))
	sum.Write(buf) // a hash.Hash never returns an error
	for i := range rows {
		buf = buf[:0]
		for _, x := range m.RawRowView(i) {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(x))
		}
		sum.Write(buf)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// hashSparse is the Data of a Provenance for m: of its shape and, row by row, of the number of entries that are not zero and of their
// columns and values.
func hashSparse(m *affinity.Sparse) string {
	rows, cols := m.Dims()
	sum := sha256.New()
	buf := make([]byte, 0, 16)
	buf = binary.LittleEndian.AppendUint64(buf, uint64(rows))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(cols))
	sum.Write(buf)
	for i := range rows {
		cols, values := m.Row(i)
		buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(len(cols)))
		for t, j := range cols {
			buf = binary.LittleEndian.AppendUint64(buf, uint64(j))
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(values[t]))
		}
		sum.Write(buf)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// hashAll is the Data of a Provenance for several matrices: the hash of their hashes, in order.
func hashAll(hashes []string) string {
	sum := sha256.New()
	for _, h := range hashes {
		sum.Write([]byte(h)) // a hash.Hash never returns an error
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}

// provenance fills in what does not depend on the method.
func provenance(data, method string, opts Options) Provenance {
	return Provenance{Data: data, Method: method, Options: opts.String(), Version: version(), CPU: thin.Path()}
}

// module is the path of the module that this package is part of.
const module = "orthant"

// version is the version of the module as the build information has it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Path != module {
		for _, dep := range info.Deps {
			if dep.Path == module {
				return dep.Version
			}
		}
		return "unknown"
	}
	v := info.Main.Version
	if v == "" {
		v = "(devel)"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v += " " + s.Value
		}
	}
	return v
}
