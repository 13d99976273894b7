package kerneltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// shapes are the contents of all messages that a kernel sends, written from the specification and not from package
// wire, so that an error there does not hide here.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html
var shapes = map[string]shape{
	"clear_output":          {"wait": boolean},
	"comm_close":            {"comm_id": nonEmpty, "data": anything},
	"comm_info_reply":       {"status": ok, "comms": mapOf(shape{"target_name": text}.check)},
	"comm_msg":              {"comm_id": nonEmpty, "data": anything},
	"comm_open":             {"comm_id": nonEmpty, "target_name": text, "data": anything, "target_module": optional(text)},
	"complete_reply":        {"status": ok, "matches": listOf(text), "cursor_start": count, "cursor_end": count, "metadata": completions},
	"connect_reply":         {"status": ok, "shell_port": count, "iopub_port": count, "stdin_port": count, "hb_port": count, "control_port": count},
	"create_subshell_reply": {"status": ok, "subshell_id": nonEmpty},
	"debug_event":           {"type": oneOf("event"), "seq": count, "event": nonEmpty, "body": optional(object)},
	"debug_reply":           debugReply,
	"delete_subshell_reply": {"status": ok},
	"display_data":          {"data": mimeBundle, "metadata": object, "transient": optional(transient)},
	"error":                 {"ename": text, "evalue": text, "traceback": listOf(text)},
	"execute_input":         {"code": text, "execution_count": count},
	"execute_reply":         {"status": ok, "execution_count": count, "payload": listOf(payload), "user_expressions": mapOf(expression)},
	"execute_result":        {"data": mimeBundle, "metadata": object, "execution_count": count, "transient": optional(transient)},
	"history_reply":         {"status": ok, "history": listOf(historyEntry)},
	"input_request":         {"prompt": text, "password": boolean},
	"inspect_reply":         {"status": ok, "found": boolean, "data": object, "metadata": object},
	"interrupt_reply":       {"status": ok},
	"iopub_welcome":         {"subscription": text},
	"is_complete_reply":     {"status": oneOf("complete", "incomplete", "invalid", "unknown"), "indent": optional(text)},
	"kernel_info_reply":     kernelInfo,
	"list_subshell_reply":   {"status": ok, "subshell_id": listOf(nonEmpty)},
	"shutdown_reply":        {"status": ok, "restart": boolean},
	"status":                {"execution_state": oneOf("busy", "idle", "starting")},
	"stream":                {"name": oneOf("stdout", "stderr"), "text": nonEmpty},
	"update_display_data":   {"data": mimeBundle, "metadata": object, "transient": displayID},
	"usage_reply":           usage,
}

var ok = oneOf("ok")

var kernelInfo = shape{
	"status":                 ok,
	"protocol_version":       matching(`^\d+\.\d+$`),
	"implementation":         nonEmpty,
	"implementation_version": text,
	"language_info":          languageInfo.check,
	"banner":                 text,
	"debugger":               optional(boolean),
	"help_links":             listOf(shape{"text": nonEmpty, "url": matching(`^https?://`)}.check),
	"supported_features":     listOf(nonEmpty),
}

var languageInfo = shape{
	"name":               nonEmpty,
	"version":            nonEmpty,
	"mimetype":           matching(`^[\w.+-]+/[\w.+-]+$`),
	"file_extension":     matching(`^\.\w+$`),
	"pygments_lexer":     optional(text),
	"codemirror_mode":    optional(text),
	"nbconvert_exporter": optional(text),
}

// debugReply is a response of the Debug Adapter Protocol, which has no status.
var debugReply = shape{
	"type": oneOf("response"), "seq": count, "request_seq": count, "success": boolean, "command": nonEmpty,
	"message": optional(text), "body": optional(object),
}

// usage is ipykernel's, which has no status.
var usage = shape{
	"hostname": text, "pid": count, "kernel_cpu": number, "kernel_memory": count, "cpu_count": count,
	"host_cpu_percent": optional(number), "host_virtual_memory": optional(virtualMemory.check),
}

var virtualMemory = shape{
	"total": count, "available": count, "percent": number, "used": count, "free": count,
	"active": optional(count), "inactive": optional(count), "buffers": optional(count), "cached": optional(count),
	"shared": optional(count), "slab": optional(count),
}

// payloads are the payloads of an execute_reply, by their source.
var payloads = map[string]shape{
	"ask_exit":       {"source": text, "keepkernel": boolean},
	"edit_magic":     {"source": text, "filename": nonEmpty, "line_number": count},
	"page":           {"source": text, "data": mimeBundle, "start": count},
	"set_next_input": {"source": text, "text": text, "replace": boolean},
}

func payload(v any) error {
	fields, _ := v.(map[string]any)
	source, _ := fields["source"].(string)
	s, known := payloads[source]
	if !known {
		return fmt.Errorf("%v is no payload of a known source", v)
	}
	return s.check(v)
}

// expression is the value of a user expression, or why it has none.
func expression(v any) error {
	if fields, _ := v.(map[string]any); fields["status"] == "error" {
		return shape{"status": text, "ename": text, "evalue": text, "traceback": listOf(text)}.check(v)
	}
	return shape{"status": ok, "data": mimeBundle, "metadata": object}.check(v)
}

// completions is the metadata of a complete_reply: IPython's and JupyterLab's description of the matches, or nothing.
func completions(v any) error {
	return shape{"_jupyter_types_experimental": optional(listOf(shape{
		"start": count, "end": count, "text": text, "type": text, "signature": optional(text),
	}.check))}.check(v)
}

// transient is a field for what is not stored in notebooks: the id of a display, or nothing.
func transient(v any) error { return shape{"display_id": optional(nonEmpty)}.check(v) }

// anything is any value: what two ends of a comm say to each other is theirs. The specification's example is an object.
func anything(v any) error {
	if _, absent := v.(missing); absent {
		return errors.New("is missing")
	}
	return nil
}

// displayID is a transient field that has the id of a display.
func displayID(v any) error { return shape{"display_id": nonEmpty}.check(v) }

// historyEntry is [session, line, input] or [session, line, [input, output]].
func historyEntry(v any) error {
	entry, isList := v.([]any)
	if !isList || len(entry) != 3 {
		return fmt.Errorf("%v is not an array of three", v)
	}
	if err := errors.Join(count(entry[0]), count(entry[1])); err != nil {
		return err
	}
	pair, withOutput := entry[2].([]any)
	if !withOutput {
		return text(entry[2])
	}
	if len(pair) != 2 {
		return fmt.Errorf("%v is not a pair of input and output", pair)
	}
	if pair[1] == nil {
		return text(pair[0])
	}
	return errors.Join(text(pair[0]), text(pair[1]))
}

// failedReply is the content of any reply whose status is "error".
var failedReply = shape{"status": oneOf("error"), "ename": text, "evalue": text, "traceback": listOf(text)}

// failedExecute is that of an execute_reply. A request that cannot be read has no count.
var failedExecute = shape{
	"status": oneOf("error"), "ename": text, "evalue": text, "traceback": listOf(text),
	"execution_count": optional(count), "payload": optional(listOf(payload)), "user_expressions": optional(emptyObject),
}

// abortedReply is the content of a reply whose status is "aborted": to a cell that waited behind one that failed, and to any request
// that waited for a subshell which is deleted.
var abortedReply = shape{"status": oneOf("aborted"), "execution_count": optional(count)}

// replyTo returns the shape of a reply's content; other messages have the one of their type.
func replyTo(messageType, status string) shape {
	switch {
	case status == "error" && messageType == "execute_reply":
		return failedExecute
	case status == "error":
		return failedReply
	case status == "aborted":
		return abortedReply
	}
	return shapes[messageType]
}

// checkContent says what is wrong with the content of a message of the given type.
func checkContent(messageType string, content []byte) error {
	s, known := shapes[messageType]
	if !known {
		return errors.New("unknown message type")
	}
	if strings.HasSuffix(messageType, "_reply") {
		var reply struct{ Status string }
		if err := json.Unmarshal(content, &reply); err != nil {
			return err
		}
		s = replyTo(messageType, reply.Status)
	}
	return s.checkJSON(content)
}
