// Package simplex projects onto the simplex {a : a >= 0, Σ a = 1} and minimises convex quadratic functions over it, exactly.
package simplex
