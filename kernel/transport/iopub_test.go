package transport

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zeromq/zmq4"

	"orthant/kernel/wire"
)

// TestOneOrder has several goroutines publish at once: all subscribers see the same sequence.
func TestOneOrder(t *testing.T) {
	const publishers, each = 4, 500
	tr := start(t, Options{})
	var subs []*client
	for range 3 {
		subs = append(subs, dial(t, tr, wire.IOPub, "").subscribe(""))
	}
	var wg sync.WaitGroup
	for p := range publishers {
		wg.Go(func() {
			for i := range each {
				if err := tr.Publish(context.Background(), "stream", line(t, tr, p*each+i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sequences := make([][]int, len(subs))
	for i, s := range subs {
		wg.Go(func() {
			for range publishers * each {
				frames, err := s.recvFrames()
				if err != nil {
					t.Error(err)
					return
				}
				m, err := s.codec.Decode(frames)
				if err != nil {
					t.Error(err)
					return
				}
				sequences[i] = append(sequences[i], lineNumber(t, m))
			}
		})
	}
	wg.Wait()
	for i := range sequences[1:] {
		if fmt.Sprint(sequences[i+1]) != fmt.Sprint(sequences[0]) {
			t.Errorf("subscriber %d saw another order than subscriber 0", i+1)
		}
	}
	next := make([]int, publishers)
	for _, n := range sequences[0] {
		if p := n / each; n%each != next[p] {
			t.Fatalf("publisher %d: line %d after %d", p, n%each, next[p]-1)
		} else {
			next[p]++
		}
	}
}

// TestSubscriptions sends subscriptions and cancellations, then publishes to topics and looks at what arrives. What was
// sent before a subscription to "end" has been seen when its welcome comes.
func TestSubscriptions(t *testing.T) {
	cmd := func(name, prefix string) string {
		return frame(flagCommand, string(rune(len(name)))+name+prefix)
	}
	sub := func(prefix string) string { return frame(0, "\x01"+prefix) }
	cancel := func(prefix string) string { return frame(0, "\x00"+prefix) }
	topics := []string{"", "kernel.1.stream.stdout", "kernel.1.status", "\xff\xfe"}
	for _, tc := range []struct {
		name, in string
		welcomes []string
		want     []string // topics that arrive
	}{
		{"nothing", "", nil, nil},
		{"everything", sub(""), []string{""}, topics},
		{"a prefix", sub("kernel.1.st"), []string{"kernel.1.st"}, topics[1:3]},
		{"a topic", sub("kernel.1.status"), []string{"kernel.1.status"}, topics[2:3]},
		{"longer than a topic", sub("kernel.1.status."), []string{"kernel.1.status."}, nil},
		{"invalid UTF-8: no welcome", sub("\xff"), nil, topics[3:]},
		{"two subscriptions: one welcome", sub("kernel") + sub("kernel"), []string{"kernel"}, topics[1:3]},
		{"two subscriptions, one cancellation", sub("") + sub("") + cancel(""), []string{""}, topics},
		{"two subscriptions, two cancellations", sub("") + sub("") + cancel("") + cancel(""), []string{""}, nil},
		{"a subscription again", sub("") + cancel("") + sub(""), []string{"", ""}, topics},
		{"overlapping: each message once", sub("") + sub("kernel"), []string{"", "kernel"}, topics},
		{"cancelling what was not subscribed", cancel("x") + cancel("") + sub("kernel") + cancel("ker"), []string{"kernel"}, topics[1:3]},
		{"ZMTP 3.1 commands", cmd("SUBSCRIBE", "kernel") + cmd("SUBSCRIBE", "") + cmd("CANCEL", ""), []string{"kernel", ""}, topics[1:3]},
		{"other messages", frame(0, "") + frame(0, "\x02x") + frame(flagMore, "\x01") + frame(0, "") + cmd("UNKNOWN", "x"), nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tr := start(t, Options{})
			witness := dial(t, tr, wire.IOPub, "").subscribe("") // sees no welcome of others
			c := dial(t, tr, wire.IOPub, "")
			if _, err := c.conn.Write([]byte(tc.in + sub("end"))); err != nil {
				t.Fatal(err)
			}
			var welcomes []string
			for {
				var w wire.IOPubWelcome
				if err := c.recv().Unmarshal(&w); err != nil {
					t.Fatal(err)
				}
				if w.Subscription == "end" {
					break
				}
				welcomes = append(welcomes, w.Subscription)
			}
			if fmt.Sprintf("%q", welcomes) != fmt.Sprintf("%q", tc.welcomes) {
				t.Errorf("welcomes: got %q, want %q", welcomes, tc.welcomes)
			}
			for i, topic := range append(topics, "end") {
				if err := tr.Publish(context.Background(), topic, line(t, tr, i)); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for {
				topic := string(c.recv().Identities[0])
				if topic == "end" {
					break
				}
				got = append(got, topic)
			}
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", tc.want) {
				t.Errorf("topics: got %q, want %q", got, tc.want)
			}
			if m := witness.recv(); m.Header.MsgType != "stream" {
				t.Errorf("the other subscriber got %s", m.Header.MsgType)
			}
		})
	}
}

func TestTooManySubscriptions(t *testing.T) {
	tr := start(t, Options{})
	c := dial(t, tr, wire.IOPub, "")
	for i := range maxTopics + 1 {
		c.frames(fmt.Sprintf("\x01%d", i))
	}
	if got := c.closed(); got > maxTopics {
		t.Errorf("got %d welcomes, want at most %d", got, maxTopics)
	}
	dial(t, tr, wire.IOPub, "").subscribe("")
}

// TestOnlySubscribersMayConnect refuses socket types that do not go together.
func TestOnlySubscribersMayConnect(t *testing.T) {
	tr := start(t, Options{})
	for _, tc := range []struct {
		channel wire.Channel
		kind    zmq4.SocketType
	}{{wire.IOPub, zmq4.Dealer}, {wire.Shell, zmq4.Sub}, {wire.Heartbeat, zmq4.Push}} {
		conn := raw(t, tr, tc.channel)
		ready := fmt.Sprintf("\x05READY\x0bSocket-Type\x00\x00\x00%c%s", len(tc.kind), tc.kind)
		if _, err := conn.Write([]byte(goodGreeting() + frame(flagCommand, ready))); err != nil {
			t.Fatal(err)
		}
		ended(t, conn)
	}
}

// TestStalledSubscriber has one subscriber that does not read at all and a healthy one. The stalled one loses its
// connection, after a while; the healthy one gets every message.
func TestStalledSubscriber(t *testing.T) {
	messages := 5_000
	if long() {
		messages = 300_000
	}
	tr := start(t, Options{QueueBytes: 1 << 20, StallTimeout: 2 * time.Second})
	healthy := dial(t, tr, wire.IOPub, "").subscribe("")
	stalled := dial(t, tr, wire.IOPub, "").subscribe("")
	go func() {
		for i := range messages {
			m := message(t, tr, nil, wire.Stream{Name: "stdout", Text: fmt.Sprintf("%d %s\n", i, strings.Repeat("x", 4000))})
			if err := tr.Publish(context.Background(), "stream", m); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	for i := range messages {
		if got := lineNumber(t, healthy.recv()); got != i {
			t.Fatalf("got line %d, want %d", got, i)
		}
	}
	if got := stalled.closed(); got >= messages {
		t.Errorf("the stalled subscriber got all %d messages", got)
	}
	// It comes back as ZeroMQ clients do, and gets what is published from then on.
	back := dial(t, tr, wire.IOPub, "").subscribe("")
	if err := tr.Publish(context.Background(), "stream", line(t, tr, -1)); err != nil {
		t.Fatal(err)
	}
	if got := lineNumber(t, back.recv()); got != -1 {
		t.Errorf("got line %d, want -1", got)
	}
}

// TestSlowSubscriber reads slowly, but does read: it is waited for, longer in all than a stalled one would be, and gets
// every message.
func TestSlowSubscriber(t *testing.T) {
	const messages, stall = 2400, 1500 * time.Millisecond
	tr := start(t, Options{QueueBytes: 4 << 20, StallTimeout: stall})
	slow := dial(t, tr, wire.IOPub, "").subscribe("")
	published := make(chan struct{})
	go func() {
		defer close(published)
		for i := range messages {
			m := message(t, tr, nil, wire.Stream{Text: fmt.Sprintf("%d %s", i, strings.Repeat("x", 16<<10))})
			if err := tr.Publish(context.Background(), "stream", m); err != nil {
				t.Error(err)
				return
			}
		}
	}()
	before := time.Now()
	for i := range messages {
		time.Sleep(2 * stall / messages) // not for ordering: this is what makes it slow
		if got := lineNumber(t, slow.recv()); got != i {
			t.Fatalf("got line %d, want %d", got, i)
		}
	}
	<-published
	if took := time.Since(before); took < 2*stall {
		t.Errorf("took %v, too fast to show anything", took)
	}
}

// TestInterruptedPublish does not wait for a full queue when its context is done, and leaves the message out for
// nobody.
func TestInterruptedPublish(t *testing.T) {
	tr := start(t, Options{QueueBytes: 1 << 20, StallTimeout: time.Hour})
	c := dial(t, tr, wire.IOPub, "").subscribe("")
	ctx, cancel := context.WithCancel(context.Background())
	published := make(chan int, 1)
	go func() {
		n := 0
		for ; ctx.Err() == nil; n++ { // ends when the Publish that waits is interrupted
			m := message(t, tr, nil, wire.Stream{Text: fmt.Sprintf("%d %s", n, strings.Repeat("x", 64<<10))})
			if err := tr.Publish(ctx, "stream", m); err != nil {
				t.Error(err)
			}
		}
		published <- n
	}()
	for deadline := time.Now().Add(patience); len(tr.publisher.full("stream")) == 0; {
		if time.Now().After(deadline) {
			t.Fatal("the queue does not fill")
		}
	}
	cancel()
	n := <-published
	for i := range n {
		if got := lineNumber(t, c.recv()); got != i {
			t.Fatalf("got line %d of %d, want %d", got, n, i)
		}
	}
}

// TestHardLimit ends the connection of a subscriber when even interrupted output is too much.
func TestHardLimit(t *testing.T) {
	tr := start(t, Options{QueueBytes: 1 << 20, StallTimeout: time.Hour})
	c := dial(t, tr, wire.IOPub, "").subscribe("")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := message(t, tr, nil, wire.Stream{Text: strings.Repeat("x", 1<<20)})
	const messages = 64 // more than 4 MiB of queue and what the system buffers
	for range messages {
		if err := tr.Publish(ctx, "stream", m); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.closed(); got >= messages {
		t.Errorf("got all %d messages", got)
	}
}
