package rt

import (
	"sync"
	"testing"
)

// TestArm compares named functions that recover, called by a frame or by others, with the same ones in compiled Go.
func TestArm(t *testing.T) {
	compareLogs(t, []logged{
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
	})
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
