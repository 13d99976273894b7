package main

import (
	"fmt"
	"reflect"
	"sort"
)

func rec(name string) { fmt.Println(name, recover()) }

func around() { rec("around") }

func direct() { fmt.Println("direct", recover()) }

type T int

func (T) Around() { rec("method") }

func (T) Direct() { fmt.Println("method, direct", recover()) }

type S struct{ T }

type I interface {
	Around()
	Direct()
}

// outer recovers what f leaves.
func outer(f func()) {
	defer func() { fmt.Println("outer", recover()) }()
	f()
}

type byRecover []int

func (b byRecover) Len() int           { return len(b) }
func (b byRecover) Less(i, j int) bool { rec("less"); return b[i] < b[j] }

type byDirect []int

func (b byDirect) Len() int           { return len(b) }
func (b byDirect) Less(i, j int) bool { fmt.Println("less, direct", recover()); return b[i] < b[j] }
func (b byDirect) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type deferred struct{ f func() }

var kept = direct

func (b byRecover) Swap(i, j int) { b[i], b[j] = b[j], b[i] }

func main() {
	outer(func() { fn := around; defer fn(); panic(1) })
	outer(func() { fn := T.Around; defer fn(T(1)); panic(2) })
	outer(func() { var i I = T(0); defer i.Around(); panic(3) })
	outer(func() { fn := T(0).Around; defer fn(); panic(4) })
	outer(func() { defer S{}.Around(); panic(5) })
	outer(func() { fn := S.Around; defer fn(S{}); panic(6) })
	outer(func() { var i I = S{}; defer i.Around(); panic(7) })
	outer(func() { fn := func() { rec("literal") }; defer fn(); panic(8) })
	outer(func() { fn := func() { func() { rec("inner literal") }() }; defer fn(); panic(9) })
	outer(func() { g := direct; fn := func() { g() }; defer fn(); panic(10) })

	outer(func() { fn := direct; defer fn(); panic(11) })
	outer(func() { fn := T.Direct; defer fn(T(1)); panic(12) })
	outer(func() { var i I = T(0); defer i.Direct(); panic(13) })
	outer(func() { fn := T(0).Direct; defer fn(); panic(14) })
	outer(func() { defer S{}.Direct(); panic(15) })
	outer(func() { fn := S.Direct; defer fn(S{}); panic(16) })
	outer(func() { var i I = S{}; defer i.Direct(); panic(17) })
	outer(func() { fn := func() { fmt.Println("literal, direct", recover()) }; defer fn(); panic(18) })

	outer(func() { defer reflect.ValueOf(T(0)).Method(1).Call(nil); panic(19) })
	outer(func() { defer reflect.ValueOf(T(0)).Method(0).Call(nil); panic(20) })
	outer(func() { defer reflect.ValueOf(direct).Call(nil); panic(21) })
	outer(func() { defer sort.Sort(byRecover{2, 1}); panic(22) })
	outer(func() { fn := sort.Sort; defer fn(byRecover{2, 1}); panic(23) })
	outer(func() { defer sort.Sort(byDirect{2, 1}); panic(24) })
	outer(func() { fn := sort.Sort; defer fn(byDirect{2, 1}); panic(25) })

	outer(func() { defer deferred{direct}.f(); panic(26) })
	outer(func() { defer []func(){around, direct}[1](); panic(27) })
	outer(func() { defer map[int]func(){1: direct}[1](); panic(28) })
	outer(func() { defer func() func() { return direct }()(); panic(29) })
	outer(func() { defer any(direct).(func())(); panic(30) })
	outer(func() { defer kept(); panic(31) })
	outer(func() { defer reflect.ValueOf(T(0)).Method(1).Interface().(func())(); panic(32) })
	outer(func() { f := reflect.TypeOf(T(0)).Method(1).Func.Interface().(func(T)); defer f(0); panic(32) })
	outer(func() { f := reflect.TypeOf(new(T)).Method(0).Func.Interface().(func(*T)); defer f(new(T)); panic(32) })
	outer(func() { defer fmt.Println("compiled"); panic(33) })
	outer(func() { fn := fmt.Println; defer fn("compiled"); panic(34) })
}
