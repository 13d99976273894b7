package dataset_test

import (
	"fmt"
	"strings"

	"orthant/clustering/dataset"
)

func ExampleIris() {
	d := dataset.Iris()
	fmt.Println(d)
	fmt.Println(d.Features[0], d.X.At(0, 0), d.Classes[d.Labels[0]])
	// Output:
	// iris: 150 objects, 4 features, 3 classes
	// sepal length (cm) 5.1 setosa
}

func ExampleWine() {
	fmt.Println(dataset.Wine())
	// Output: wine: 178 objects, 13 features, 3 classes
}

func ExampleBreastCancer() {
	fmt.Println(dataset.BreastCancer())
	// Output: breast cancer: 569 objects, 30 features, 2 classes
}

func ExampleDigits() {
	fmt.Println(dataset.Digits())
	// Output: digits: 1797 objects, 64 features, 10 classes
}

func ExampleDataset_First() {
	fmt.Println(dataset.Digits().First(500))
	// Output: digits (first 500 of 1797): 500 objects, 64 features, 10 classes
}

func ExampleCSV_Read() {
	const text = `length,width,kind
5.1,3.5,setosa
7.0,3.2,versicolor
`
	d, err := dataset.CSV{Header: true, LabelName: "kind"}.Read(strings.NewReader(text), "flowers.csv")
	fmt.Println(d, err)
	fmt.Println(d.Features, d.Labels, d.Classes)

	_, err = dataset.CSV{Header: true}.Read(strings.NewReader(text), "flowers.csv")
	fmt.Println(err)
	// Output:
	// flowers.csv: 2 objects, 2 features, 2 classes <nil>
	// [length width] [0 1] [setosa versicolor]
	// dataset: flowers.csv: line 2, column 3: "setosa" is not a number
}

func ExampleCSV_Load() {
	_, err := dataset.CSV{LabelColumn: -1}.Load("no-such-file.csv")
	fmt.Println(err != nil)
	// Output: true
}
