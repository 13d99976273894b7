// Package dataset brings data to cluster: four small sets that are part of the program, and a loader for CSV files.
//
//	digits := dataset.Digits().First(500)
//	mine, err := dataset.CSV{Header: true, LabelColumn: -1}.Load("mine.csv")
//
// # The embedded sets
//
// [Iris], [Wine], [BreastCancer] and [Digits] are sets of the UCI Machine Learning Repository (https://archive.ics.uci.edu,
// licence CC BY 4.0), with the values, the order and the labels with which scikit-learn 1.2.1 bundles them (BSD-3-Clause,
// copyright the scikit-learn developers). They are stored compressed, with the label as last column.
//
//   - Iris: R. A. Fisher, 1936. 150 flowers, 4 lengths in cm, 3 species of 50.
//   - Wine: S. Aeberhard and M. Forina, 1992. 178 wines, 13 chemical measures, 3 cultivars (59, 71, 48).
//   - Breast Cancer Wisconsin (Diagnostic): W. Wolberg, O. Mangasarian, N. Street and W. Street, 1995. 569 tumours, 30 measures of
//     cell nuclei, malignant (212) or benign (357).
//   - Digits: E. Alpaydin and C. Kaynak, 1998, "Optical Recognition of Handwritten Digits", of which this is the test part. 1797
//     images of 8×8 pixels with values 0..16, 10 classes.
//
// Every call decodes afresh, so what it returns may be changed.
package dataset
