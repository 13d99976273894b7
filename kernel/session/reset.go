package session

// Reset forgets all names that cells have defined and frees their values; the preloaded names mean again what they meant
// at the start. While cells run, values are freed only when none does any more.
//
// While goroutines of cells live, what a function refers to keeps its value: they may be using it. Where there are none,
// everything is freed, and a function that compiled code has been given, for a timer perhaps, finds its variables zero. A
// type that is declared afterwards is a new one, whatever its name.
func (s *Session) Reset() {
	s.checking.Lock()
	defer s.checking.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	names := s.names
	s.whenAlone(nil, func() { s.forget(names) })
	s.names = preloaded(s.context)
	s.dots = nil
	s.users = map[string]user{}
	s.lookers = map[int][]string{}
}

// forget frees what names mean. The caller holds s.checking and s.mu.
func (s *Session) forget(names map[string]*entry) {
	used := s.Goroutines() > 0
	for _, e := range names {
		if e.obj == nil || e.cell == 0 {
			continue
		}
		if slot := s.world.Slot(e.obj); slot != nil && !(used && slot.Held) {
			slot.Value().SetZero()
		}
		if function := s.world.Forget(e.obj); function != "" {
			s.engine.Forget(function)
		}
	}
}
