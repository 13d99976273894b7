package clustering

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"

	"orthant/clustering/affinity"
)

// checkGraph is an error if g is not an n×n symmetric graph with weights >= 0. Its entries are finite: affinity.Sparse has no other.
func checkGraph(name string, g *affinity.Sparse, n int) error {
	if r, c := g.Dims(); r != n || c != n {
		return fmt.Errorf("%s is %d×%d, want %d×%d: one row and one column per object", name, r, c, n, n)
	}
	for i := range n {
		cols, values := g.Row(i)
		for t, j := range cols {
			a, b := values[t], g.At(j, i)
			if a < 0 {
				return fmt.Errorf("%s[%d,%d] = %g is negative", name, i, j, a)
			}
			if math.Abs(a-b) > symmetryTol*max(a, b)+symmetryFloor {
				return fmt.Errorf("%s[%d,%d] = %g but %s[%d,%d] = %g: a graph of neighbours is symmetric", name, i, j, a, name, j, i, b)
			}
		}
	}
	return nil
}

// hashSparse is a hash of a sparse matrix's shape and entries, as hash is of a dense one.
func hashSparse(s *affinity.Sparse) string {
	rows, cols := s.Dims()
	buf := binary.LittleEndian.AppendUint64(nil, uint64(rows))
	buf = binary.LittleEndian.AppendUint64(buf, uint64(cols))
	sum := sha256.New()
	s.DoNonZero(func(i, j int, v float64) {
		for _, x := range [...]uint64{uint64(i), uint64(j), math.Float64bits(v)} {
			buf = binary.LittleEndian.AppendUint64(buf, x)
		}
		sum.Write(buf) // a hash.Hash never returns an error
		buf = buf[:0]
	})
	sum.Write(buf)
	return "sha256:" + hex.EncodeToString(sum.Sum(nil))
}
