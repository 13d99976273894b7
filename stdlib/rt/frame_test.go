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

// TestFrame compares sequences of deferred calls with the same ones in compiled Go.
func TestFrame(t *testing.T) {
	tests := []struct {
		name     string
		lowered  func(l *log)
		compiled func(l *log)
	}{
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
			"named function recovers",
			func(l *log) {
				named := func() { armed := Arm(); l.add("named %v", Recover(armed)); l.add("again %v", Recover(armed)) }
				run(func(f any) {
					Defer(f, func() { l.add("outer %v", Recover(f)) })
					DeferCall(f, func() { named() })
					panic("a")
				})
				named()
			},
			func(l *log) {
				named := func() { l.add("named %v", recover()); l.add("again %v", recover()) }
				func() {
					defer func() { l.add("outer %v", recover()) }()
					defer named()
					panic("a")
				}()
				named()
			},
		},
		{
			"named function that defers a named function",
			func(l *log) {
				inner := func() { l.add("inner %v", Recover(Arm())) }
				outer := func() {
					armed := Arm()
					run(func(f any) {
						DeferCall(f, func() { inner() })
						l.add("outer %v", Recover(armed))
						panic("b")
					})
				}
				run(func(f any) {
					Defer(f, func() { l.add("last %v", Recover(f)) })
					DeferCall(f, func() { outer() })
					panic("a")
				})
			},
			func(l *log) {
				inner := func() { l.add("inner %v", recover()) }
				outer := func() {
					defer inner()
					l.add("outer %v", recover())
					panic("b")
				}
				func() {
					defer func() { l.add("last %v", recover()) }()
					defer outer()
					panic("a")
				}()
			},
		},
		{
			"named function calls itself",
			func(l *log) {
				var named func(int)
				named = func(n int) {
					armed := Arm()
					if n > 0 {
						named(n - 1)
					}
					l.add("%d %v", n, Recover(armed))
				}
				run(func(f any) {
					DeferCall(f, func() { named(2) })
					panic("a")
				})
			},
			func(l *log) {
				var named func(int)
				named = func(n int) {
					if n > 0 {
						named(n - 1)
					}
					l.add("%d %v", n, recover())
				}
				func() {
					defer named(2)
					panic("a")
				}()
			},
		},
		{
			"named function without recover calls one with it",
			func(l *log) {
				named := func() { l.add("named %v", Recover(Arm())) }
				quiet := func() { Disarm(); named() }
				run(func(f any) {
					Defer(f, func() { l.add("outer %v", Recover(f)) })
					DeferCall(f, func() { quiet() })
					panic("a")
				})
			},
			func(l *log) {
				named := func() { l.add("named %v", recover()) }
				quiet := func() { named() }
				func() {
					defer func() { l.add("outer %v", recover()) }()
					defer quiet()
					panic("a")
				}()
			},
		},
		{
			"a named function without recover leaves nothing behind",
			func(l *log) {
				quiet := func() { l.add("quiet") }
				named := func() { l.add("named %v", Recover(Arm())) }
				run(func(f any) {
					Defer(f, func() {
						named()
						l.add("outer %v", Recover(f))
					})
					DeferCall(f, func() { quiet() })
					panic("a")
				})
			},
			func(l *log) {
				quiet := func() { l.add("quiet") }
				named := func() { l.add("named %v", recover()) }
				func() {
					defer func() {
						named()
						l.add("outer %v", recover())
					}()
					defer quiet()
					panic("a")
				}()
			},
		},
		{
			"a named function that panics leaves nothing behind",
			func(l *log) {
				loud := func() { panic("b") }
				named := func() { l.add("named %v", Recover(Arm())) }
				run(func(f any) {
					Defer(f, func() {
						named()
						l.add("outer %v", Recover(f))
					})
					DeferCall(f, func() { loud() })
					panic("a")
				})
			},
			func(l *log) {
				loud := func() { panic("b") }
				named := func() { l.add("named %v", recover()) }
				func() {
					defer func() {
						named()
						l.add("outer %v", recover())
					}()
					defer loud()
					panic("a")
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
	}
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

func TestRecoverWithoutFrame(t *testing.T) {
	for _, frame := range []any{nil, (*Frame)(nil), "no frame"} {
		if got := Recover(frame); got != nil {
			t.Errorf("frame %v: got %v", frame, got)
		}
	}
	if got := Arm(); got != nil {
		t.Errorf("armed with %v", got)
	}
}

// TestGoroutinesAreArmedApart lets goroutines defer named functions at the same time, each inside a deferred call of
// another.
func TestGoroutinesAreArmedApart(t *testing.T) {
	const goroutines, rounds = 8, 200
	named := func(want any) {
		if got := Recover(Arm()); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	var wg sync.WaitGroup
	for g := range goroutines {
		wg.Go(func() {
			for r := range rounds {
				mine := g*rounds + r
				run(func(f any) {
					DeferCall(f, func() { named(mine) })
					DeferCall(f, func() {
						var started sync.WaitGroup
						started.Go(func() { named(nil) }) // another goroutine is not called by the frame
						started.Wait()
					})
					panic(mine)
				})
			}
		})
	}
	wg.Wait()
	if len(armed.by) > 0 {
		t.Errorf("%d goroutines are still armed", len(armed.by))
	}
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
