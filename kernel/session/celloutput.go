package session

import "orthant/stdlib/display"

// An Output is what one cell outputs to, all parts of it together: the text of all of them is limited as one (see
// OutputLimitVariable), and what one has left of a line that the user has typed is there for the next. Who runs a cell in parts
// gives the same Output to each of them.
type Output struct {
	display.Sink // the caller's
	meter        meter
	typed        typed
}

// NewOutput returns the output of a cell that is to be run in parts, which goes on to a sink. End ends it.
func (s *Session) NewOutput(to display.Sink) *Output {
	return &Output{Sink: to, meter: meter{limit: s.textLimit}, typed: newTyped()}
}

// outputTo returns the output of what is to be run: the one that the caller has made for all parts of a cell, or one that ends
// with the run.
func (s *Session) outputTo(out display.Sink) (o *Output, end func()) {
	if o, ok := out.(*Output); ok {
		return o, func() {}
	}
	o = s.NewOutput(out)
	return o, o.End
}

// Text hands text on, as far as the limit goes.
func (o *Output) Text(stream display.Stream, text string) {
	if shown := o.meter.pass(stream, text); shown != "" {
		o.Sink.Text(stream, shown)
	}
	o.tellCut(false)
}

// Clear hands on that what has been shown is to be shown no longer. It counts no longer, either.
func (o *Output) Clear(wait bool) {
	o.meter.clear()
	o.Sink.Clear(wait)
}

// End says what was cut: the cell has ended. Goroutines of it may go on and output what the limit has left.
func (o *Output) End() { o.tellCut(true) }

// tellCut says what was cut, where it has not been said.
func (o *Output) tellCut(end bool) {
	if o.meter.limit == 0 {
		return
	}
	if notice := o.meter.notice(end); notice != "" {
		o.note(notice)
	}
}

// note hands on a line of the session's own, which no limit cuts.
func (o *Output) note(text string) { o.Sink.Text(display.Stderr, text) }
