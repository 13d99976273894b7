package session

import "reflect"

// Kind says what a name means now, preloaded names and packages included: variable, function, type, constant or package;
// empty where it means nothing, or something of the language.
func (s *Session) Kind(name string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch e := s.names[name]; {
	case e == nil:
		return ""
	case e.obj == nil:
		return "package"
	default:
		return kindOf(e.obj)
	}
}

// Values returns the variables that cells defined, by name. They are the variables themselves: cells that run and
// goroutines of cells may be changing them, see Still and Goroutines.
func (s *Session) Values() map[string]reflect.Value {
	s.checking.Lock() // a cell that is being compiled makes storage
	defer s.checking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	values := map[string]reflect.Value{}
	for name, e := range s.names {
		if e.obj == nil || e.cell == 0 || kindOf(e.obj) != "variable" {
			continue
		}
		if slot := s.world.Slot(e.obj); slot != nil {
			values[name] = slot.Value()
		}
	}
	return values
}

// Still calls a function while no cell runs; a cell or goroutine that is to begin waits for it. Where a cell runs it returns false
// without a call. Goroutines that cells have left running go on; f may ask Goroutines whether there are any.
func (s *Session) Still(f func()) bool {
	if !s.values.TryLock() {
		return false
	}
	defer s.values.Unlock()
	f()
	return true
}

// Goroutines returns how many goroutines that cells started have not ended.
func (s *Session) Goroutines() int { return int(s.goroutines.Load()) }
