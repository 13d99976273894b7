// Package figure draws the plots that clustering papers argue with: how the objective descends over the restarts
// ([Descent]), an affinity matrix sorted by class ([Affinity]), what an ingredient of a method contributes ([Ablation]).
//
// Each function returns a [Figure]. As the last expression of a cell it is shown; before that it can be changed, by its
// chained methods or by anything that gonum.org/v1/plot can do to its Plot:
//
//	figure.Descent(res)
//	figure.Affinity(w, digits.Labels).Titled("First 500 digits").Sized(640, 560)
//
//	f := figure.Ablation("α", "accuracy", orth, free).Level(0.1, "chance")
//	f.Plot.Y.Min = 0.5
//	err := f.Save("ablation.svg")
//
// A figure of input that cannot be drawn (a nil result, labels that do not fit the matrix) is no panic: it shows what
// was wrong, and Err and Save return it.
//
// The look is the same everywhere. Colours are told apart by readers with any kind of colour vision (Okabe and Ito, "Color
// universal design", 2008), series also differ in their marks, and legends stand above the data, never on it.
package figure
