package kernel

import (
	"strings"
	"time"
	"unicode/utf8"

	"orthant/stdlib/display"
)

const (
	// coalesceTime is how long text waits for more text. Servers drop output above 1000 messages a second, and clients
	// store one output per message, so a loop that prints must not become a message per line. People see 20 ms as at once.
	coalesceTime = 20 * time.Millisecond
	// coalesceBytes is how much text is sent without waiting for more.
	coalesceBytes = 64 << 10
)

// text appends text of a source to a stream.
func (p *publisher) text(source *output, stream display.Stream, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	// A write may end within a character, which must not be cut: its bytes wait for the rest.
	if begun := source.partial[stream]; begun != "" {
		text = begun + text
		delete(source.partial, stream)
	}
	whole := len(text) - unfinished(text)
	if whole < len(text) {
		source.partial[stream] = strings.Clone(text[whole:]) // not to keep the text that it ends
	}
	p.append(source, stream, text[:whole])
}

// finishText sends the beginnings of characters whose rest never came. The request is over.
func (p *publisher) finishText(source *output) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, stream := range []display.Stream{display.Stdout, display.Stderr} {
		p.append(source, stream, source.partial[stream])
		delete(source.partial, stream)
	}
}

// append puts text into the queue: behind the last text of the source, if that is of the same stream and if only text of
// other sources has come since, whose order to this one means nothing. p.mu is held.
func (p *publisher) append(source *output, stream display.Stream, text string) {
	if text == "" || p.ended() {
		return
	}
	p.pending += len(text)
	for i := len(p.queue) - 1; i >= 0 && p.queue[i].source != nil; i-- {
		last := &p.queue[i]
		if last.source != source {
			continue
		}
		if last.stream != stream || len(last.text) >= coalesceBytes {
			break
		}
		last.text = append(last.text, text...)
		if len(last.text) >= coalesceBytes {
			p.signal()
		}
		return
	}
	p.queue = append(p.queue, outgoing{source: source, stream: stream, text: []byte(text), since: time.Now()})
	p.signal()
}

// unfinished returns how many bytes at the end of text begin a character that goes on behind it: 0 to 3.
func unfinished(text string) int {
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRuneInString(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
