package clustering

// Nonnegative factorisation under structure constraints.
//
//	min F(U, V) = 1/2 ‖X − VUᵀ‖² + λ/4 ‖S − VVᵀ‖² + μ/2 Tr Vᵀ(D−W)V   over U, V >= 0 with ‖v_i‖ = 1            (16)
//
//	X  n×m  objects, one a row, >= 0, each scaled to norm 1
//	S  n×n  S = XXᵀ, the cosines of the objects
//	W  n×n  graph of neighbours, symmetric, >= 0; D its degrees
//	U  m×k  basis
//	V  n×k  representation: row v_i is object i's, and VVᵀ has the cosines of the rows
//	λ, μ >= 0  weights of the global structure, the cosines, and of the local one, the graph
//
// Jia, Li and Zhang, "An algorithm of nonnegative matrix factorization under structure constraints for image
// clustering", Neural Computing and Applications 2022, doi 10.1007/s00521-022-08136-x. Numbers in parentheses are the paper's
// equations. Its X has objects as columns and is our Xᵀ.
//
// Where this departs from the paper, and why:
//
//   - The objective. Equations 1 to 24 were not to be had; (16) is what its gradient (25), its abstract and its split of the
//     gradient say, up to factors in λ and μ.
//   - The step of a row. (31) in τ is the great circle y(θ) = cos θ x − sin θ g/‖g‖, g = a − (a·x)x the projected gradient and
//     tan(θ/2) = τ‖g‖/2. On it y >= 0 up to a θ that is known exactly, and the row's part of F, 1/2 yᵀQy − r·y, has a third
//     derivative with a bound: the step goes to the minimum of the cubic above F, or to where y >= 0 ends. So F never rises.
//     With (37) τ is chosen by y >= 0 alone, which proves no descent, and a row with a zero never moves again, since D = −4x = 0
//     makes τ = 0; F ends many times higher. PaperStep has it.
//   - Signs, in what PaperStep computes. (27) has +λ/2, so that λ = −x·a: the a − xλ = 0 below it is for −λ/2. In (29)
//     a − xᵀax is a − x(aᵀx), and axᵀ − xᵀa is axᵀ − xaᵀ. In β2 of (32) the inner sign is plus:
//     −τ (x·a + τ/2 ((a·x)² − ‖a‖²‖x‖²))/q; as printed ‖y‖ is off by up to 2. (33) has lost the sign that β2 has in (32): it is
//     −(τ/q)(β1'a − β2'x), β2' with the plus, too. In (34) T1 = T2 and both go. P1 is then (‖c1‖²+‖c2‖²+2(c1·x)(c2·x)) x, and
//     B >= 0 always, so that the third case of (37) does not occur.
//   - Rows are updated one after the other, each with the latest of the others. Entries up to 1e-10 become 0.
//   - Labels by k-means on the rows of V: the argmax of a row is right for far fewer objects.
//   - The graph, which the text does not give: the five nearest by cosine, weight 1.
//   - Stopping: |F'−F| <= Tol·|F'|.
//
// An iteration takes 6nmk + 10nk² + 3mk² operations and reads X twice: SV = X(XᵀV), and U + λXᵀV is kept up to date. With n < m
// S is formed, and 4nmk + 2n²k stand for 6nmk. An entry of W takes 5k. The objective comes from traces of products that the
// next step needs anyway.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"orthant/clustering/affinity"
	"orthant/clustering/internal/memory"
	"orthant/clustering/internal/objects"
	"orthant/clustering/internal/thin"
)

// SCNMF is nonnegative matrix factorisation under structure constraints (Jia, Li and Zhang, Neural Computing and Applications
// 2022): it minimises 1/2 ‖X−VUᵀ‖² + λ/4 ‖S−VVᵀ‖² + μ/2 Tr Vᵀ(D−W)V over U, V >= 0 with rows of V of norm 1, where X has
// objects scaled to norm 1, S their cosines, and W is a graph of neighbours with degrees D. Zero parameters mean zero;
// [NewSCNMF] has usual ones.
type SCNMF struct {
	// K is the number of clusters and of columns of U and V, 1..n.
	K int
	// Lambda is the weight λ >= 0 of the global structure, the cosines. 0 means 0.
	Lambda float64
	// Mu is the weight μ >= 0 of the local structure, the graph. 0 means 0.
	Mu float64
	// Graph is W, n×n, symmetric and >= 0, its diagonal without effect; nil:
	// affinity.SCNMFGraph, which joins objects with weight 1 if one of them is among the other's five nearest by cosine.
	Graph *affinity.Sparse
	// PaperStep takes the step of (37) for a row of V. A row with a zero then never moves.
	PaperStep bool
	// LabelsByArgmax labels an object by the largest entry of its row of V. Otherwise labels come from k-means on the rows,
	// the best of ten starts.
	LabelsByArgmax bool
	// U0, m×K and >= 0, is the basis that the first run starts from; nil: random like that of all others.
	U0 *mat.Dense
	// V0, n×K and >= 0, is the representation that the first run starts from, after its rows are scaled to norm 1; nil: random
	// like that of all others. No row may be zero.
	V0 *mat.Dense
}

// NewSCNMF returns the method for k clusters with λ = μ = 1.
func NewSCNMF(k int) SCNMF { return SCNMF{K: k, Lambda: 1, Mu: 1} }

// SCNMFResult is what SCNMF returns. U and V are those of the best run, nil if every run diverged.
type SCNMFResult struct {
	Result
	// U is the m×K basis, >= 0: object i, scaled to norm 1, is about U times row i of V.
	U *mat.Dense
	// V is the n×K representation, >= 0, rows of norm 1.
	V *mat.Dense
	// Graph is the graph W, the given one itself if there was one: it never changes.
	Graph *affinity.Sparse
}

const (
	scnmfMaxIter = 500
	scnmfTol     = 1e-6
	scnmfZero    = 1e-10 // an entry of V up to here becomes 0: a thousand of them change the norm of a row by rounding
)

// Fit clusters the n objects that are the rows of x, n×m, nonnegative, none of them zero. See [Options] for the defaults (MaxIter
// 500, Tol 1e-6 on |F'−F|/|F'|), and [Result] for what an error leaves.
func (m SCNMF) Fit(ctx context.Context, x mat.Matrix, opts Options) (*SCNMFResult, error) {
	dense, warnings, err := m.validate(x)
	var d *scnmfData
	if err == nil {
		d, err = newSCNMFData(m, dense)
	}
	if err != nil {
		return nil, fmt.Errorf("clustering: SCNMF: %w", err)
	}
	res, kept, err := run(ctx, problem[scnmfKept]{
		name: "SCNMF", method: m.String(), data: hash(dense), n: d.n, warnings: warnings,
		maxIter: scnmfMaxIter, tol: scnmfTol,
		newState: func() state[scnmfKept] { return newSCNMFState(m, d) },
	}, opts)
	if res == nil {
		return nil, err
	}
	return &SCNMFResult{Result: *res, U: kept.u, V: kept.v, Graph: d.graph}, err
}

// Variant is m on x as a Variant; opts.Seed gives way to the variant's seed. An empty name means m as a Go literal.
func (m SCNMF) Variant(name string, x mat.Matrix, opts Options) Variant {
	return variant(name, m, opts, func(ctx context.Context, opts Options) (*Result, error) { return common(m.Fit(ctx, x, opts)) })
}

// String is m as a Go literal, a given graph and given starts by their hashes.
func (m SCNMF) String() string { return describe(m) }

// validate checks m and its input.
func (m SCNMF) validate(x mat.Matrix) (*mat.Dense, []string, error) {
	d, err := objects.Of(x)
	if err != nil {
		return nil, nil, err
	}
	if err := checkNonnegative("X", d); err != nil {
		return nil, nil, err
	}
	n, columns := d.Dims()
	if err := firstError(checkK(m.K, n), checkWeight("Lambda", m.Lambda), checkWeight("Mu", m.Mu)); err != nil {
		return nil, nil, err
	}
	if i := zeroRow(d); i >= 0 {
		return nil, nil, fmt.Errorf("row %d of X is zero: the cosines of object %d are undefined", i, i)
	}
	if m.Graph != nil {
		if r, c := m.Graph.Dims(); r != n || c != n {
			return nil, nil, fmt.Errorf("Graph is %d×%d, want %d×%d: one row and one column per object", r, c, n, n)
		}
		if err := checkSparse("Graph", m.Graph); err != nil {
			return nil, nil, err
		}
	}
	if m.formsCosines(n, columns) {
		if err := memory.CheckSquare(n, 1); err != nil {
			return nil, nil, err
		}
	}
	warnings, err := m.validateStart(n, columns)
	return d, warnings, err
}

// validateStart checks U0 and V0 for n objects of m features.
func (m SCNMF) validateStart(n, columns int) (warnings []string, err error) {
	if m.U0 != nil {
		if r, c := m.U0.Dims(); r != columns || c != m.K {
			return nil, fmt.Errorf("U0 is %d×%d, want %d×%d: one row per column of X, K columns", r, c, columns, m.K)
		}
		if err := checkNonnegative("U0", m.U0); err != nil {
			return nil, err
		}
		zero := 0
		for a := range m.K {
			if mat.Max(m.U0.ColView(a)) == 0 {
				zero++
				warnings = append(warnings, fmt.Sprintf("column %d of U0 is zero and stays zero", a))
			}
		}
		if zero == m.K {
			return nil, errors.New("U0 is zero everywhere, and multiplicative updates keep it so")
		}
	}
	if m.V0 == nil {
		return warnings, nil
	}
	if r, c := m.V0.Dims(); r != n || c != m.K {
		return nil, fmt.Errorf("V0 is %d×%d, want %d×%d: one row per object, K columns", r, c, n, m.K)
	}
	if err := checkNonnegative("V0", m.V0); err != nil {
		return nil, err
	}
	if i := zeroRow(m.V0); i >= 0 {
		return nil, fmt.Errorf("row %d of V0 is zero, and has no norm to be scaled to 1", i)
	}
	if i := rowWithZero(m.V0); i >= 0 && m.PaperStep {
		warnings = append(warnings, fmt.Sprintf("rows of V0 with a zero, row %d the first, never move with PaperStep", i))
	}
	return warnings, nil
}

// formsCosines reports whether S is formed for n objects of m features: where it is smaller than X, and has a weight.
func (m SCNMF) formsCosines(n, columns int) bool { return n < columns && m.Lambda > 0 }

// zeroRow is the first row of m >= 0 that is zero, -1 if there is none.
func zeroRow(m *mat.Dense) int {
	rows, _ := m.Dims()
	for i := range rows {
		if thin.Sum(m.RawRowView(i)) == 0 {
			return i
		}
	}
	return -1
}

// rowWithZero is the first row of m that has a zero, -1 if there is none.
func rowWithZero(m *mat.Dense) int {
	rows, _ := m.Dims()
	for i := range rows {
		for _, x := range m.RawRowView(i) {
			if x == 0 {
				return i
			}
		}
	}
	return -1
}

// scnmfKept is what the result shows of the best run.
type scnmfKept struct{ u, v *mat.Dense }

// scnmfState is an iterate U, V with the products that its point and the step from it need. The m×k matrices are kept transposed, k
// rows of length m; see package thin. V is there both ways: a row is updated row by row, and products need long rows.
type scnmfState struct {
	method  SCNMF
	d       *scnmfData
	n, m, k int

	u      []float64 // U
	v      []float64 // n×k: V
	vt     []float64 // V transposed
	p      []float64 // P = XᵀV, at the end of a sweep
	t      []float64 // U + λP, up to date within a sweep; U if S is formed
	den    []float64 // denominator of (18)
	uu, vv []float64 // k×k: UᵀU, VᵀV
	q      []float64 // k×k: UᵀU + λVᵀV, up to date within a sweep

	// of the row that is updated, length k each
	r      []float64 // r, and the gradient a = Qx − r
	a      []float64
	qx, qu []float64
	dir    []float64 // u = −g/‖g‖
	y      []float64 // the next row
	c1, c2 []float64 // the gradient's parts with PaperStep

	rows      *partitioner // of V
	labelSeed uint64
}

func newSCNMFState(m SCNMF, d *scnmfData) *scnmfState {
	n, k := d.n, m.K
	wide := func() []float64 { return make([]float64, k*d.m) }
	small := func() []float64 { return make([]float64, k*k) }
	row := func() []float64 { return make([]float64, k) }
	s := &scnmfState{
		method: m, d: d, n: n, m: d.m, k: k,
		u: wide(), v: make([]float64, n*k), vt: make([]float64, n*k), p: wide(), t: wide(), den: wide(),
		uu: small(), vv: small(), q: small(),
		r: row(), a: row(), qx: row(), qu: row(), dir: row(), y: row(), c1: row(), c2: row(),
	}
	s.rows = newPartitioner(mat.NewDense(n, k, s.v), k)
	return s
}

func (s *scnmfState) start(r int, rng *rand.Rand) {
	if s.method.U0 != nil && r == 0 {
		copy(s.u, thin.Transposed(s.method.U0))
	} else {
		uniformTo(s.u, rng)
	}
	if s.method.V0 != nil && r == 0 {
		for i := range s.n {
			copy(s.row(i), s.method.V0.RawRowView(i))
		}
	} else {
		uniformTo(s.v, rng)
	}
	s.labelSeed = rng.Uint64()
	for i := range s.n {
		row := s.row(i)
		unit(row)
		if !s.method.PaperStep {
			flushZeros(row)
		}
		s.transposeRow(i)
	}
	thin.GramTo(s.uu, s.u, s.u, s.k)
	s.products()
}

func (s *scnmfState) row(i int) []float64 { return s.v[i*s.k : (i+1)*s.k] }

func (s *scnmfState) transposeRow(i int) {
	for b, x := range s.row(i) {
		s.vt[b*s.n+i] = x
	}
}

// products brings what depends on V alone up to date.
func (s *scnmfState) products() {
	clear(s.p)
	for i := range s.n {
		thin.AddOuterTo(s.p, s.row(i), s.d.row(i)) // P = XᵀV
	}
	thin.GramTo(s.vv, s.vt, s.vt, s.k)
}

func (s *scnmfState) step() {
	s.stepU()
	s.prepare()
	for i := range s.n {
		s.attraction(i)
		if s.method.PaperStep && s.paperStep(i) || !s.method.PaperStep && s.circleStep(i) {
			s.replace(i)
		}
	}
	s.products()
}

// prepare sets what is kept up to date within a sweep over the rows of V.
func (s *scnmfState) prepare() {
	lambda := s.method.Lambda
	for b := range s.q {
		s.q[b] = s.uu[b] + float64(lambda*s.vv[b])
	}
	copy(s.t, s.u)
	if s.d.s == nil {
		for j, p := range s.p {
			s.t[j] += float64(lambda * p)
		}
	}
}

// stepU is (18): U ← U .* XᵀV ./ (U VᵀV), which minimises a function above the first term of F, the only one with U.
func (s *scnmfState) stepU() {
	clear(s.den)
	thin.AddMulTo(s.den, s.vv, s.u, s.k) // U VᵀV
	top := 0.0
	for j, u := range s.u {
		next := 0.0
		if s.den[j] > 0 {
			next = u * (s.p[j] / s.den[j]) // (18)
		}
		s.u[j] = next
		top = max(top, next)
	}
	for j, u := range s.u {
		if u < negligible*top {
			s.u[j] = 0
		}
	}
	thin.GramTo(s.uu, s.u, s.u, s.k)
}

// attraction sets r and Qx for row i. On the sphere row i's part of F is 1/2 yᵀQy − r·y with Q = UᵀU + λ Σ v_j v_jᵀ and
// r = UᵀX_i + λ Σ S_ij v_j + μ Σ W_ij v_j, sums over all j but i.
func (s *scnmfState) attraction(i int) {
	x, lambda := s.row(i), s.method.Lambda
	thin.DotsTo(s.r, s.t, s.d.row(i)) // UᵀX_i + λ PᵀX_i, the second term with j = i
	if s.d.s != nil {
		thin.DotsTo(s.qx, s.vt, s.d.s[i*s.n:(i+1)*s.n])
		for b := range s.r {
			s.r[b] += float64(lambda * s.qx[b])
		}
	}
	thin.DotsTo(s.qx, s.q, x)
	for b := range s.r {
		s.r[b] -= float64(lambda * x[b]) // S_ii = 1
		s.qx[b] -= float64(lambda * x[b])
	}
	cols, values := s.d.graph.Row(i)
	for e, j := range cols {
		if j == i {
			continue
		}
		w := s.method.Mu * values[e]
		for b, v := range s.row(j) {
			s.r[b] += float64(w * v)
		}
	}
}

// circleStep sets y to the next row i: along the great circle against the projected gradient, to the minimum of a cubic above F, or
// to where y >= 0 ends. It reports whether the row moves.
func (s *scnmfState) circleStep(i int) bool {
	above, moves := s.cubic(i)
	if !moves {
		return false
	}
	x := s.row(i)
	theta := min(cubicMinimum(above.slope, above.curvature, above.bound), circleBound(x, s.dir))
	circleTo(s.y, x, s.dir, theta)
	flushZeros(s.y)
	return true
}

// A rowCubic is a cubic in θ, −slope·θ + curvature·θ²/2 + bound·θ³/6, that F's change along a great circle stays below.
type rowCubic struct{ slope, curvature, bound float64 }

// cubic sets dir to the direction u = −g/‖g‖ that row i would take and returns the cubic above F there; false: the row is at rest.
func (s *scnmfState) cubic(i int) (above rowCubic, moves bool) {
	x := s.row(i)
	for b := range s.a {
		s.a[b] = s.qx[b] - s.r[b]
		if x[b] == 0 && s.a[b] > 0 {
			s.a[b] = 0 // descent would leave the orthant: the entry stays
		}
	}
	above.slope = descentTo(s.dir, x, s.a)
	if above.slope == 0 {
		return above, false
	}
	thin.DotsTo(s.qu, s.q, s.dir) // Qu: the λ x xᵀu that Q lacks is 0
	turn, cross := thin.Dot(s.dir, s.qu)-thin.Dot(x, s.qx), thin.Dot(s.dir, s.qx)
	rx, ru := thin.Dot(s.r, x), thin.Dot(s.r, s.dir)
	above.curvature = turn + rx                                             // uᵀQu − xᵀQx + r·x
	above.bound = float64(2*math.Hypot(turn, 2*cross)) + math.Hypot(rx, ru) // |third derivative|
	return above, true
}

// paperStep sets y to the next row i by (31) and (37). It reports whether the row moves.
func (s *scnmfState) paperStep(i int) bool {
	x := s.row(i)
	own1 := s.method.Lambda + float64(s.method.Mu*s.d.degree[i])
	for b := range x {
		s.c1[b] = s.qx[b] + float64(own1*x[b])           // V UᵀU + λ V VᵀV + μ D V
		s.c2[b] = s.r[b] + float64(s.method.Lambda*x[b]) // XU + λ S V + μ W V
		s.a[b] = s.c1[b] - s.c2[b]
	}
	if descentTo(s.dir, x, s.a) == 0 {
		return false
	}
	tau := paperTau(x, s.c1, s.c2)
	if tau == 0 {
		return false
	}
	cayleyTo(s.y, x, s.a, tau)
	for b := range s.y {
		s.y[b] = max(0, s.y[b]) // rounding, where (35) is an equality
	}
	return true
}

// replace makes y, scaled to norm 1, row i, and brings Q and U + λP up to date.
func (s *scnmfState) replace(i int) {
	unit(s.y)
	x, lambda := s.row(i), s.method.Lambda
	if lambda > 0 {
		for b := range s.k {
			for c := range s.k {
				s.q[b*s.k+c] += float64(lambda * (float64(s.y[b]*s.y[c]) - float64(x[b]*x[c])))
			}
		}
	}
	if lambda > 0 && s.d.s == nil {
		for b := range s.dir {
			s.dir[b] = lambda * (s.y[b] - x[b])
		}
		thin.AddOuterTo(s.t, s.dir, s.d.row(i))
	}
	copy(x, s.y)
	s.transposeRow(i)
}

// flushZeros makes entries of a unit vector that are rounding, or beside the bound by rounding, 0.
func flushZeros(x []float64) {
	for b := range x {
		if x[b] <= scnmfZero {
			x[b] = 0
		}
	}
}

func (s *scnmfState) measure(p *Point) {
	fit := (s.d.norm2 - float64(2*thin.Dot(s.u, s.p)) + thin.Dot(s.uu, s.vv)) / 2 // 1/2 ‖X − VUᵀ‖²
	global := 0.0
	if s.method.Lambda > 0 {
		global = s.method.Lambda / 4 * (s.d.cosine2 - float64(2*thin.Dot(s.p, s.p)) + thin.Dot(s.vv, s.vv)) // Tr VᵀSV = ‖P‖²
	}
	f := fit + global + float64(s.method.Mu/2*s.roughness())
	p.Change = 0
	if p.Iteration > 0 {
		p.Change = relativeChange(p.Objective, f, s.d.norm2+float64(s.method.Lambda*s.d.cosine2))
	}
	p.Objective = f
	p.Feasibility = 0
	for i := range s.n {
		row := s.row(i)
		p.Feasibility = max(p.Feasibility, math.Abs(math.Sqrt(thin.Dot(row, row))-1))
	}
}

// roughness is Tr Vᵀ(D−W)V = Σ W_ij ‖v_i − v_j‖² over pairs i < j.
func (s *scnmfState) roughness() float64 {
	sum := 0.0
	for i := range s.n {
		cols, values := s.d.graph.Row(i)
		for e, j := range cols {
			if j > i {
				sum += float64(values[e] * objects.SquaredDistance(s.row(i), s.row(j)))
			}
		}
	}
	return sum
}

func (s *scnmfState) labelsTo(labels []int) {
	if s.method.LabelsByArgmax {
		argmaxTo(labels, s.vt)
		return
	}
	s.rows.bestTo(labels, rand.New(rand.NewPCG(s.labelSeed, 0)))
}

func (s *scnmfState) keep() scnmfKept {
	return scnmfKept{u: thin.Dense(s.u, s.k), v: mat.NewDense(s.n, s.k, append([]float64(nil), s.v...))}
}
