package main

import "fmt"

func main() {
	a := [3][]uint8{}
	for i, x := range &a {
		a[2] = append(x, 15)
		fmt.Println(i, x)
		i = 1
		fmt.Println(i)
	}
}
