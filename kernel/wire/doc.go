// Package wire holds what Jupyter clients and kernels say to each other, as bytes and as Go values.
//
// It reads connection files, splits and joins the frames of a message, signs and checks signatures, and has one struct
// for the content of each message, with a link to the messaging specification. It knows neither sockets nor goroutines:
// package transport moves what is encoded here.
//
// The main types:
//
//   - [ConnectionInfo] is a connection file.
//   - [Message] is one message; [Header] is its header; its content is JSON until [Message.Unmarshal] types it.
//   - [Content] is implemented by every content struct; it knows its message type's name.
//   - [Sender] makes new messages: ids, dates, parents.
//   - [Codec] turns messages into signed frames and frames into checked messages.
//
// Use:
//
//	info, err := wire.ReadConnectionFile(path)
//	codec, err := wire.NewCodec(info)
//	sender := wire.NewSender("orthant")
//	request, err := codec.Decode(frames)
//	var in wire.ExecuteRequest
//	err = request.Unmarshal(&in)
//	reply, err := sender.New(request, wire.ExecuteReply{ExecutionCount: 1})
//	frames, err = codec.Encode(reply)
//
// What is encoded here is always valid JSON in valid UTF-8: metadata, content and MIME bundles are objects and arrays
// are arrays, never null; NaN and infinities in free-form data become null. A request's header travels back as the
// parent header of its replies byte for byte, because re-encoding loses big integers and fields we do not know.
package wire
