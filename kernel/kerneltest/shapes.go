package kerneltest

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// A check says what is wrong with a decoded JSON value.
type check func(v any) error

// A shape is the content of a message type: its fields, all required unless optional, and no others.
type shape map[string]check

// shapes are the contents of all messages that a kernel sends, written from the specification and not from package
// wire, so that an error there does not hide here.
//
// https://jupyter-client.readthedocs.io/en/stable/messaging.html
var shapes = map[string]shape{
	"clear_output":        {"wait": boolean},
	"comm_close":          {"comm_id": text, "data": object},
	"comm_info_reply":     {"status": oneOf("ok"), "comms": object},
	"comm_msg":            {"comm_id": text, "data": object},
	"comm_open":           {"comm_id": text, "target_name": text, "data": object, "target_module": optional(text)},
	"complete_reply":      {"status": oneOf("ok"), "matches": listOf(text), "cursor_start": count, "cursor_end": count, "metadata": object},
	"connect_reply":       {"status": oneOf("ok"), "shell_port": count, "iopub_port": count, "stdin_port": count, "hb_port": count, "control_port": count},
	"display_data":        {"data": mimeBundle, "metadata": object, "transient": optional(object)},
	"error":               {"ename": text, "evalue": text, "traceback": listOf(text)},
	"execute_input":       {"code": text, "execution_count": count},
	"execute_reply":       {"status": oneOf("ok"), "execution_count": count, "payload": list, "user_expressions": object},
	"execute_result":      {"data": mimeBundle, "metadata": object, "execution_count": count, "transient": optional(object)},
	"history_reply":       {"status": oneOf("ok"), "history": listOf(historyEntry)},
	"input_request":       {"prompt": text, "password": boolean},
	"inspect_reply":       {"status": oneOf("ok"), "found": boolean, "data": object, "metadata": object},
	"interrupt_reply":     {"status": oneOf("ok")},
	"iopub_welcome":       {"subscription": text},
	"is_complete_reply":   {"status": oneOf("complete", "incomplete", "invalid", "unknown"), "indent": optional(text)},
	"kernel_info_reply":   kernelInfo,
	"shutdown_reply":      {"status": oneOf("ok"), "restart": boolean},
	"status":              {"execution_state": oneOf("busy", "idle", "starting")},
	"stream":              {"name": oneOf("stdout", "stderr"), "text": nonEmpty},
	"update_display_data": {"data": mimeBundle, "metadata": object, "transient": displayID},
}

var kernelInfo = shape{
	"status":                 oneOf("ok"),
	"protocol_version":       matching(`^\d+\.\d+$`),
	"implementation":         nonEmpty,
	"implementation_version": text,
	"language_info":          languageInfo.check,
	"banner":                 text,
	"debugger":               optional(boolean),
	"help_links":             listOf(shape{"text": nonEmpty, "url": nonEmpty}.check),
	"supported_features":     listOf(text),
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

// failedReply is the content of any reply whose status is "error"; execute_reply has its count besides.
var failedReply = shape{
	"status": oneOf("error"), "ename": text, "evalue": text, "traceback": listOf(text),
	"execution_count": optional(count), "payload": optional(list), "user_expressions": optional(object),
}

// abortedReply is the content of a reply whose status is "aborted".
var abortedReply = shape{"status": oneOf("aborted"), "execution_count": optional(count)}

// header is the shape of every header.
var header = shape{
	"msg_id":   nonEmpty,
	"session":  nonEmpty,
	"username": text,
	"date":     matching(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`),
	"msg_type": nonEmpty,
	"version":  matching(`^5\.\d+$`),
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
		switch reply.Status {
		case "error":
			s = failedReply
		case "aborted":
			s = abortedReply
		}
	}
	return s.checkJSON(content)
}

// checkJSON decodes data and checks it.
func (s shape) checkJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	return s.check(v)
}

// check implements the check type for an object of this shape.
func (s shape) check(v any) error {
	fields, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is not an object", v)
	}
	for name, check := range s {
		field, present := fields[name]
		if !present {
			field = missing{}
		}
		if err := check(field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for name := range fields {
		if s[name] == nil {
			return fmt.Errorf("%s: no such field", name)
		}
	}
	return nil
}

// missing stands for a field that is not there; every check but an optional one refuses it by its type.
type missing struct{}

func (missing) String() string { return "a missing field" }

func optional(c check) check {
	return func(v any) error {
		if _, absent := v.(missing); absent {
			return nil
		}
		return c(v)
	}
}

func text(v any) error {
	if _, ok := v.(string); !ok {
		return fmt.Errorf("%v is not a string", v)
	}
	return nil
}

func nonEmpty(v any) error {
	if s, ok := v.(string); !ok || s == "" {
		return fmt.Errorf("%v is not a string with something in it", v)
	}
	return nil
}

func boolean(v any) error {
	if _, ok := v.(bool); !ok {
		return fmt.Errorf("%v is not a boolean", v)
	}
	return nil
}

// count is a whole number that is not negative.
func count(v any) error {
	if n, ok := v.(float64); !ok || n < 0 || n != float64(int(n)) {
		return fmt.Errorf("%v is not a count", v)
	}
	return nil
}

func object(v any) error {
	if _, ok := v.(map[string]any); !ok {
		return fmt.Errorf("%v is not an object", v)
	}
	return nil
}

func list(v any) error {
	if _, ok := v.([]any); !ok {
		return fmt.Errorf("%v is not an array", v)
	}
	return nil
}

func listOf(c check) check {
	return func(v any) error {
		if err := list(v); err != nil {
			return err
		}
		for i, element := range v.([]any) {
			if err := c(element); err != nil {
				return fmt.Errorf("[%d]: %w", i, err)
			}
		}
		return nil
	}
}

func oneOf(words ...string) check {
	return func(v any) error {
		for _, w := range words {
			if v == w {
				return nil
			}
		}
		return fmt.Errorf("%v is none of %s", v, strings.Join(words, ", "))
	}
}

func matching(pattern string) check {
	re := regexp.MustCompile(pattern)
	return func(v any) error {
		if s, ok := v.(string); !ok || !re.MatchString(s) {
			return fmt.Errorf("%v does not match %s", v, pattern)
		}
		return nil
	}
}

var mimeType = regexp.MustCompile(`^[\w.+-]+/[\w.+-]+$`)

// mimeBundle is an object of MIME types, text/plain among them. Text and images are strings.
func mimeBundle(v any) error {
	bundle, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%v is not an object", v)
	}
	if _, ok := bundle["text/plain"]; !ok {
		return errors.New("no text/plain")
	}
	for mime, data := range bundle {
		if !mimeType.MatchString(mime) {
			return fmt.Errorf("%q is not a MIME type", mime)
		}
		if _, isText := data.(string); !isText && !strings.HasSuffix(mime, "json") {
			return fmt.Errorf("%s: %v is not a string", mime, data)
		}
	}
	return nil
}

// displayID is a transient field with the id of a display.
func displayID(v any) error { return shape{"display_id": nonEmpty}.check(v) }

// historyEntry is [session, line, input] or [session, line, [input, output]].
func historyEntry(v any) error {
	entry, ok := v.([]any)
	if !ok || len(entry) != 3 {
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
