package rt

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A log is what happened, in order.
type log []string

func (l *log) add(format string, args ...any) { *l = append(*l, fmt.Sprintf(format, args...)) }

// run is Run with nothing around the deferred calls.
func run(body func(frame any)) { Run(func(unwind func()) { unwind() }, body) }

// A logged pair is what lowered code does and what compiled code does.
type logged struct {
	name     string
	lowered  func(l *log)
	compiled func(l *log)
}

// compareLogs compares what both do, and that no goroutine stays armed.
func compareLogs(t *testing.T, tests []logged) {
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got, want log
			tt.lowered(&got)
			tt.compiled(&want)
			if !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if len(want) == 0 {
				t.Error("nothing happened")
			}
			if len(armed.by) > 0 {
				t.Errorf("%d goroutines are still armed", len(armed.by))
			}
		})
	}
}

// TestFrame compares sequences of deferred calls with the same ones in compiled Go.
func TestFrame(t *testing.T) {
	compareLogs(t, []logged{
		{
			"last first",
			func(l *log) {
				run(func(f any) {
					for i := range 3 {
						Defer(f, func() { l.add("%d", i) })
					}
					l.add("body")
				})
			},
			func(l *log) {
				for i := range 3 {
					defer func() { l.add("%d", i) }()
				}
				l.add("body")
			},
		},
		{
			"recover",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("outer %v", Recover(f)) })
					Defer(f, func() { l.add("inner %v", Recover(f)); l.add("again %v", Recover(f)) })
					panic("a")
				})
				l.add("on")
			},
			func(l *log) {
				func() {
					defer func() { l.add("outer %v", recover()) }()
					defer func() { l.add("inner %v", recover()); l.add("again %v", recover()) }()
					panic("a")
				}()
				l.add("on")
			},
		},
		{
			"no panic to recover",
			func(l *log) {
				run(func(f any) { Defer(f, func() { l.add("%v", Recover(f)) }) })
			},
			func(l *log) {
				func() { defer func() { l.add("%v", recover()) }() }()
			},
		},
		{
			"goes on where nobody recovers",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("caught %v", Recover(f)) })
					run(func(f any) {
						Defer(f, func() { l.add("passing") })
						panic("a")
					})
					l.add("not reached")
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("caught %v", recover()) }()
					func() {
						defer func() { l.add("passing") }()
						panic("a")
					}()
					l.add("not reached")
				}()
			},
		},
		{
			"a panic replaces another",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("%v", Recover(f)) })
					Defer(f, func() { panic("c") })
					Defer(f, func() { panic("b") })
					panic("a")
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("%v", recover()) }()
					defer func() { panic("c") }()
					defer func() { panic("b") }()
					panic("a")
				}()
			},
		},
		{
			"panic in a deferred call of a function that has returned",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("%v", Recover(f)) })
					Defer(f, func() { panic("late") })
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("%v", recover()) }()
					defer func() { panic("late") }()
				}()
			},
		},
		{
			"panic again",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("outer %v", Recover(f)) })
					run(func(f any) {
						Defer(f, func() { panic(fmt.Sprint(Recover(f), " again")) })
						panic("a")
					})
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("outer %v", recover()) }()
					func() {
						defer func() { panic(fmt.Sprint(recover(), " again")) }()
						panic("a")
					}()
				}()
			},
		},
		{
			"recover in a function that the deferred one calls",
			func(l *log) {
				run(func(outer any) {
					Defer(outer, func() { l.add("outer %v", Recover(outer)) })
					run(func(f any) {
						Defer(f, func() {
							func() { l.add("helper %v", Recover(Arm())) }()
						})
						panic("a")
					})
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("outer %v", recover()) }()
					func() {
						defer func() {
							func() { l.add("helper %v", recover()) }()
						}()
						panic("a")
					}()
				}()
			},
		},
		{
			"recover in a deferred call of a deferred call",
			func(l *log) {
				run(func(outer any) {
					Defer(outer, func() { l.add("outer %v", Recover(outer)) })
					run(func(f any) {
						Defer(f, func() {
							run(func(g any) {
								Defer(g, func() { l.add("inner %v", Recover(g)) })
								panic("b")
							})
							l.add("middle %v", Recover(f))
						})
						panic("a")
					})
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("outer %v", recover()) }()
					func() {
						defer func() {
							func() {
								defer func() { l.add("inner %v", recover()) }()
								panic("b")
							}()
							l.add("middle %v", recover())
						}()
						panic("a")
					}()
				}()
			},
		},
		{
			"deferring while deferred calls run",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("first") })
					Defer(f, func() {
						run(func(g any) { Defer(g, func() { l.add("nested") }) })
						l.add("second")
					})
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("first") }()
					defer func() {
						func() { defer func() { l.add("nested") }() }()
						l.add("second")
					}()
				}()
			},
		},
		{
			"Goexit",
			func(l *log) {
				inGoroutine(func() {
					run(func(f any) {
						Defer(f, func() { l.add("outer %v", Recover(f)) })
						run(func(f any) {
							Defer(f, func() { l.add("inner %v", Recover(f)) })
							runtime.Goexit()
						})
						l.add("not reached")
					})
					l.add("not reached")
				})
			},
			func(l *log) {
				inGoroutine(func() {
					func() {
						defer func() { l.add("outer %v", recover()) }()
						func() {
							defer func() { l.add("inner %v", recover()) }()
							runtime.Goexit()
						}()
						l.add("not reached")
					}()
					l.add("not reached")
				})
			},
		},
		{
			"Goexit in a deferred call",
			func(l *log) {
				inGoroutine(func() {
					run(func(f any) {
						Defer(f, func() { l.add("first %v", Recover(f)) })
						Defer(f, func() { runtime.Goexit() })
						Defer(f, func() { l.add("last") })
						panic("a")
					})
					l.add("not reached")
				})
			},
			func(l *log) {
				inGoroutine(func() {
					func() {
						defer func() { l.add("first %v", recover()) }()
						defer func() { runtime.Goexit() }()
						defer func() { l.add("last") }()
						panic("a")
					}()
					l.add("not reached")
				})
			},
		},
		{
			"a panic during Goexit is recovered and Goexit goes on",
			func(l *log) {
				inGoroutine(func() {
					run(func(f any) {
						Defer(f, func() { l.add("outer %v", Recover(f)) })
						run(func(f any) {
							Defer(f, func() { panic("a") })
							runtime.Goexit()
						})
						l.add("not reached")
					})
					l.add("not reached")
				})
			},
			func(l *log) {
				inGoroutine(func() {
					func() {
						defer func() { l.add("outer %v", recover()) }()
						func() {
							defer func() { panic("a") }()
							runtime.Goexit()
						}()
						l.add("not reached")
					}()
					l.add("not reached")
				})
			},
		},
		{
			"a panic after Goexit in a deferred call",
			func(l *log) {
				inGoroutine(func() {
					run(func(f any) {
						Defer(f, func() { l.add("outer %v", Recover(f)) })
						run(func(f any) {
							Defer(f, func() { panic("b") })
							Defer(f, func() { runtime.Goexit() })
							panic("a")
						})
					})
				})
			},
			func(l *log) {
				inGoroutine(func() {
					func() {
						defer func() { l.add("outer %v", recover()) }()
						func() {
							defer func() { panic("b") }()
							defer func() { runtime.Goexit() }()
							panic("a")
						}()
					}()
				})
			},
		},
		{
			"panic with nil",
			func(l *log) {
				run(func(f any) {
					Defer(f, func() { l.add("%T", Recover(f)) })
					panic(nil)
				})
			},
			func(l *log) {
				func() {
					defer func() { l.add("%T", recover()) }()
					panic(nil)
				}()
			},
		},
		{
			"a runtime error keeps its type",
			func(l *log) {
				var m map[string]int
				run(func(f any) {
					Defer(f, func() {
						err, ok := Recover(f).(runtime.Error)
						l.add("%v %v", ok, err)
					})
					m["a"] = 1
				})
			},
			func(l *log) {
				var m map[string]int
				func() {
					defer func() {
						err, ok := recover().(runtime.Error)
						l.add("%v %v", ok, err)
					}()
					m["a"] = 1
				}()
			},
		},
	})
}

// inGoroutine runs f in a goroutine and waits for its end.
func inGoroutine(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
}

func TestPanicGoesOn(t *testing.T) {
	want := errors.New("boom")
	defer func() {
		if got := recover(); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}()
	run(func(f any) {
		Defer(f, func() {})
		panic(want)
	})
	t.Error("not reached")
}

func BenchmarkDefer(b *testing.B) {
	for _, bench := range []struct {
		name string
		call func(any, func())
	}{{"literal", Defer}, {"named", DeferCall}} {
		b.Run(bench.name, func(b *testing.B) {
			for b.Loop() {
				run(func(f any) { bench.call(f, func() {}) })
			}
		})
	}
}

func ExampleRun() {
	Run(func(unwind func()) { unwind() }, func(frame any) {
		Defer(frame, func() { fmt.Println("recovered", Recover(frame)) })
		panic("no")
	})
	fmt.Println("on")
	// Output:
	// recovered no
	// on
}
