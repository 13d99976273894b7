package rtype

import (
	"fmt"
	"reflect"
	"testing"
)

type compiled int

//go:noinline
func (c compiled) Add(n int) int { return int(c) + n }

//go:noinline
func (c compiled) String() string { return "text" }

type adder interface{ Add(int) int }

func BenchmarkCall(b *testing.B) {
	add := m[func(int) int]("Add", func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(int(a[0].Int() + a[1].Int()))}
	})
	str := m[func() string]("String", func(a []reflect.Value) []reflect.Value { return []reflect.Value{reflect.ValueOf("text")} })
	c := declare(b, "C", reflect.TypeFor[int](), []Method{add, str}, nil)
	p := declareStruct(b, "P", []Field{{Name: "n", Type: reflect.TypeFor[int]()}}, nil, []Method{m[func(int) int]("Add", func(a []reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.ValueOf(int(a[0].Elem().Field(0).Int() + a[1].Int()))}
	})})
	plain := reflect.MakeFunc(reflect.TypeFor[func(int, int) int](), add.Call).Interface().(func(int, int) int)
	b.Run("compiled", func(b *testing.B) {
		b.ReportAllocs()
		for v := adder(compiled(5)); b.Loop(); {
			v.Add(3)
		}
	})
	b.Run("value", func(b *testing.B) {
		b.ReportAllocs()
		for v := to(c, 1000).(adder); b.Loop(); {
			v.Add(3)
		}
	})
	b.Run("pointer", func(b *testing.B) {
		b.ReportAllocs()
		for v := reflect.New(p).Interface().(adder); b.Loop(); {
			v.Add(3)
		}
	})
	b.Run("MakeFunc", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			plain(1000, 3)
		}
	})
	for name, x := range map[string]any{"compiled": compiled(1000), "value": to(c, 1000)} {
		b.Run("reflect.Call/"+name, func(b *testing.B) {
			b.ReportAllocs()
			v, args := reflect.ValueOf(x).Method(0), []reflect.Value{reflect.ValueOf(3)}
			for b.Loop() {
				v.Call(args)
			}
		})
		b.Run("Sprint/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = fmt.Sprint(x)
			}
		})
	}
}

func BenchmarkDeclare(b *testing.B) {
	for b.Loop() {
		declareStruct(b, "S", []Field{{Name: "n", Type: reflect.TypeFor[int]()}}, nil, nil)
	}
}

func BenchmarkShow(b *testing.B) {
	v := reflect.Zero(declareStruct(b, "S", []Field{{Name: "n", Type: reflect.TypeFor[int]()}}, nil, nil)).Interface()
	for b.Loop() {
		Show(v)
	}
}
