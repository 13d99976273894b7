package symbols_test

import (
	"fmt"

	"github.com/traefik/yaegi/interp"

	"orthant/stdlib/symbols"
)

func ExampleSymbols() {
	i := interp.New(interp.Options{})
	if err := i.Use(symbols.Symbols); err != nil {
		fmt.Println(err)
		return
	}
	if _, err := i.Eval(`import "gonum.org/v1/gonum/floats"`); err != nil {
		fmt.Println(err)
		return
	}
	v, err := i.Eval(`floats.Sum([]float64{1, 2, 3})`)
	fmt.Println(v, err)

	_, exists := symbols.Symbols["math/rand/v2/rand"]["IntN"]
	fmt.Println(exists)
	// Output:
	// 6 <nil>
	// true
}
