package dataset

import (
	"bytes"
	"embed"
	"fmt"
)

//go:embed data
var files embed.FS

// origin is the licence of what is embedded; see the package documentation.
const origin = "UCI Machine Learning Repository (CC BY 4.0), as bundled by scikit-learn (BSD-3-Clause)"

// Iris returns Fisher's iris flowers: 150×4, three species.
func Iris() *Dataset {
	return embedded("iris", "iris",
		[]string{"sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"},
		[]string{"setosa", "versicolor", "virginica"})
}

// Wine returns the chemical analysis of wines: 178×13, three cultivars. The features have very different scales.
func Wine() *Dataset {
	return embedded("wine", "wine",
		[]string{"alcohol", "malic acid", "ash", "alcalinity of ash", "magnesium", "total phenols", "flavanoids",
			"nonflavanoid phenols", "proanthocyanins", "color intensity", "hue", "od280/od315 of diluted wines", "proline"},
		[]string{"class 0", "class 1", "class 2"})
}

// BreastCancer returns the diagnostic breast cancer data of Wisconsin: 569×30, malignant or benign.
func BreastCancer() *Dataset {
	measures := []string{"radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
		"concave points", "symmetry", "fractal dimension"}
	var features []string
	for _, form := range []string{"mean %s", "%s error", "worst %s"} {
		for _, m := range measures {
			features = append(features, fmt.Sprintf(form, m))
		}
	}
	return embedded("breast cancer", "breast_cancer", features, []string{"malignant", "benign"})
}

// Digits returns images of handwritten digits: 1797×64, 8×8 pixels row by row with values 0..16, ten classes.
func Digits() *Dataset {
	var features []string
	for y := range 8 {
		for x := range 8 {
			features = append(features, fmt.Sprintf("pixel %d,%d", y, x))
		}
	}
	return embedded("digits", "digits", features, []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
}

// embedded decodes data/file.csv.gz. It panics if that is not what the names say, since only we can have put it there.
func embedded(name, file string, features, classes []string) *Dataset {
	data, err := files.ReadFile("data/" + file + ".csv.gz")
	if err != nil {
		panic(err)
	}
	d, err := CSV{LabelColumn: -1}.Read(bytes.NewReader(data), file)
	if err != nil {
		panic(err)
	}
	if _, m := d.X.Dims(); m != len(features) || len(d.Classes) != len(classes) {
		panic(fmt.Sprintf("dataset: %s has %d features and %d classes, its names are for %d and %d",
			file, m, len(d.Classes), len(features), len(classes)))
	}
	d.Name, d.Features, d.Classes, d.Source = name, features, classes, origin
	return d
}
