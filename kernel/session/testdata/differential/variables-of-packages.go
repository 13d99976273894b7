package main

import (
	"errors"
	"flag"
	"fmt"
	"go/build"
	. "io"
	"strings"
)

func name() string { return "called" }

func read() error {
	_, err := strings.NewReader("").Read(make([]byte, 1))
	return err
}

func set() { build.ToolDir = name() }

func main() {
	build.ToolDir = "constant"
	fmt.Println(build.ToolDir)
	set()
	fmt.Println(build.ToolDir)
	build.ToolDir += "+" + name()
	fmt.Println(build.ToolDir)
	list := []string{"a", "b"}
	build.ToolDir = list[1] + build.ToolDir
	fmt.Println(build.ToolDir)
	for _, build.ToolDir = range list {
		fmt.Print(build.ToolDir, " ")
	}
	var ok bool
	build.ToolDir, ok = map[string]string{}["c"]
	fmt.Println(build.ToolDir == "", ok)
	c := make(chan string, 1)
	c <- "received"
	build.ToolDir = <-c
	p := &build.ToolDir
	*p += "!"
	fmt.Println(build.ToolDir, p == &build.ToolDir)
	build.Default.GOOS = strings.ToUpper(build.Default.GOOS[:0] + "system")
	build.Default.BuildTags = append(build.Default.BuildTags, "tag")
	build.Default.BuildTags[0] += "s"
	fmt.Println(build.Default.GOOS, build.Default.BuildTags)

	old := EOF
	EOF = errors.New("mine")
	fmt.Println(read(), EOF, read() == EOF, read() == old)
	EOF = old

	flag.CommandLine = flag.NewFlagSet("mine", flag.ContinueOnError)
	n := flag.Int("n", 1, "")
	fmt.Println(flag.CommandLine.Name(), flag.Lookup("n") != nil, flag.Set("n", "3"), *n)
	flag.CommandLine.VisitAll(func(f *flag.Flag) { fmt.Println(f.Name) })
	flag.CommandLine = flag.NewFlagSet(name(), flag.ContinueOnError)
	fmt.Println(flag.CommandLine.Name(), flag.Lookup("n") != nil)
}
