package notebook_test

import (
	"context"
	"fmt"
	"log"

	"orthant/kernel/notebook"
	"orthant/kernel/session"
)

// A notebook with one cell, as Jupyter saves it.
const source = `{
 "cells": [
  {"cell_type": "code", "execution_count": null, "metadata": {}, "outputs": [], "source": ["fmt.Println(\"six times seven\")\n", "6 * 7"]}
 ],
 "metadata": {"language_info": {"name": "go"}},
 "nbformat": 4,
 "nbformat_minor": 4
}`

func ExampleParse() {
	nb, err := notebook.Parse([]byte(source))
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range nb.Cells {
		fmt.Printf("%s cell %s:\n%s\n", c.Type(), c.ID(), c.Source())
	}
	// Output:
	// code cell cbf2ce01:
	// fmt.Println("six times seven")
	// 6 * 7
}

func ExampleRun() {
	nb, err := notebook.Parse([]byte(source))
	if err != nil {
		log.Fatal(err)
	}
	s, err := session.New()
	if err != nil {
		log.Fatal(err)
	}
	if err := notebook.Run(context.Background(), nb, s, notebook.Options{}); err != nil {
		log.Fatal(err)
	}
	if err := s.Close(); err != nil {
		log.Fatal(err)
	}
	outputs, err := nb.Cells[0].Outputs()
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range outputs {
		fmt.Printf("%s: %s%s\n", o.Type, o.Text, o.Plain())
	}
	// Output:
	// stream: six times seven
	//
	// execute_result: 42
}

func ExampleParseParameters() {
	ps, err := notebook.ParseParameters([]string{"alpha=0.1", "name=first run"})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range ps {
		fmt.Printf("%s is %q\n", p.Name, p.Value)
	}
	// Output:
	// alpha is "0.1"
	// name is "first run"
}
