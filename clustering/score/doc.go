// Package score compares a clustering with the true classes, or two clusterings with each other.
//
//	acc, err := score.Accuracy(digits.Labels, res.Labels)
//	nmi, err := score.NMI(digits.Labels, res.Labels)
//	all, err := score.Each(score.Accuracy, digits.Labels, res.RunLabels())
//	score.Summarize(all) // mean 0.700 (max 0.765, min 0.622)
//	score.PairedT(ours, theirs) // whether two methods differ, from scores of the same trials
//	score.Silhouette(x, res.Labels) // without a truth
//
// The first argument is the truth, the second the prediction; they have one entry per object, and only which objects share
// an entry matters, not the numbers themselves. A label of -1 in the prediction means that the object belongs to no cluster.
// It counts as wrong in [Accuracy] and [Purity]; in the others all such objects form one cluster of their own kind. In the
// truth -1 is allowed where the measure is symmetric ([NMI], [AMI], [ARI], [Pairs]), and means the same there.
//
// Labellings of different lengths, empty ones, and labels below -1 are errors.
package score
