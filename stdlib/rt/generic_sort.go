package rt

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"
)

// sorters sort slices of the ordered kinds as compiled code does, whatever the names of their types are: reflection would
// take ten times as long.
var sorters = map[reflect.Kind]func(first unsafe.Pointer, n int){
	reflect.Int: sorter[int], reflect.Int8: sorter[int8], reflect.Int16: sorter[int16], reflect.Int32: sorter[int32],
	reflect.Int64: sorter[int64], reflect.Uint: sorter[uint], reflect.Uint8: sorter[uint8], reflect.Uint16: sorter[uint16],
	reflect.Uint32: sorter[uint32], reflect.Uint64: sorter[uint64], reflect.Uintptr: sorter[uintptr],
	reflect.Float32: sorter[float32], reflect.Float64: sorter[float64], reflect.String: sorter[string],
}

func sorter[E cmp.Ordered](first unsafe.Pointer, n int) { slices.Sort(unsafe.Slice((*E)(first), n)) }

// sortOrdered is slices.Sort: the checker has let only elements of an ordered kind pass.
func sortOrdered(s reflect.Value) { sorters[s.Type().Elem().Kind()](s.UnsafePointer(), s.Len()) }
