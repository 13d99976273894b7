// Package comm lets a cell and code in the front end talk to each other: a slider that sets a variable, a plot in the browser
// that is fed while a fit runs.
//
// A [Comm] is a conversation, which either side opens and either side closes. Both have given names to what they can talk
// about, the targets. Here a cell lets the front end open comms of the target "square":
//
//	import "orthant/stdlib/comm"
//
//	comm.Register("square", func(c *comm.Comm, _ comm.Message) {
//		c.OnMessage(func(m comm.Message) {
//			var in struct{ X float64 }
//			if err := m.Decode(&in); err != nil {
//				panic(err) // shown where the front end shows output of the message
//			}
//			c.Send(map[string]float64{"y": in.X * in.X})
//		})
//	})
//
// Its counterpart in the front end, in an extension of JupyterLab that has the kernel's connection (classic notebooks have
// Jupyter.notebook.kernel.comm_manager instead):
//
//	const c = kernel.createComm('square');
//	c.onMsg = msg => console.log(msg.content.data.y);
//	await c.open().done;
//	c.send({x: 3});
//
// And here a cell opens a comm, of a target that the front end has registered:
//
//	c, err := comm.Open("descent", map[string]any{"title": "objective"})
//	…
//	err = c.Send(map[string]any{"iteration": i, "objective": f})
//
//	kernel.registerCommTarget('descent', (c, open) => {
//	  draw(open.content.data.title);
//	  c.onMsg = msg => plot(msg.content.data);
//	  c.onClose = () => finish();
//	});
//
// A front end that does not know the target closes the comm; [Comm.OnClose] tells.
//
// # When functions run
//
// What the front end sends waits for its turn behind the cells that were asked for before, and runs as a cell does: its text
// and displays belong to the message that it answers, ctx is its own, an interrupt ends it, and so does a panic, which is
// reported on its standard error and closes the comm if it comes while that opens. So a cell that opens a comm and sets
// [Comm.OnMessage] before it ends misses nothing. Messages for a comm without such a function are dropped.
//
// A message that a goroutine sends belongs to the cell that started the goroutine, also after that has ended.
//
// # Where there is no front end
//
// In a program, or in a notebook that runs without Jupyter, nobody is there to talk to. The same calls work all the same:
// [Open] returns a comm, what it sends goes nowhere, and nothing comes. Comms end with the kernel; a new one begins with none.
//
// The package knows no Jupyter messages. Whoever has a front end lets the sink of a run (display.Run) implement [Host] and
// keeps a [Registry].
package comm
