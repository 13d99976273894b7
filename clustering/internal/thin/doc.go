// Package thin has the dense products of the clustering methods: a large matrix times one with few columns, and the sums over
// long rows that go with it. It is the one place to make faster.
//
// A thin n×k matrix H is kept transposed, as k rows of length n in one slice (entry (i,a) at a*n+i): every product is then
// made of dot products and scaled sums of long contiguous rows, which is what processors and gonum's assembly do well.
//
// # Order of summation
//
// Results must not depend on the machine's mood, so the order is part of the contract. Dot adds products with index 4j+l to
// lane l (l = 0..3) for as long as four are left, the remaining ones to lane 0, and returns (lane 1 + lane 3) + (lane 0 +
// lane 2). Every operation is rounded on its own; nothing is fused. Axpy rounds the product and then the sum. The portable
// kernels, gonum's SSE2 assembly, and the AVX kernel, which makes four sums at a time and has a register of four lanes for each,
// do exactly this (TestPathsAgree). No kernel depends on alignment or on the number of processors. Fused operations or wider
// registers would be faster still, at the price of other bits.
package thin
