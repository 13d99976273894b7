package main

type T1 int

type T8 struct{ f7 T1 }

func test25() {
	switch (T8{}) {
	case T8{}:
		n38 := 0
	label37:
		n38++
		goto label37
	}
}

func main() {
}
