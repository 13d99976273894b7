// Package affinity turns data, one object a row, into the n×n matrices of similarities that clustering works on.
//
//	w, err := affinity.Gaussian{MeanDistance: 0.7}.Of(x)
//
// An affinity is a value with the parameters of its definition, and Of applies it. What Of returns is new, symmetric and
// nonnegative, and the same bits on every machine with the same math.Exp. Affinities here are dense; n objects take 8n²
// bytes, and an n for which that is more than a quarter of the memory limit is refused.
package affinity
