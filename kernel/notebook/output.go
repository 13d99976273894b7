package notebook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"orthant/stdlib/display"
)

// An OutputType names a kind of output.
type OutputType string

// The kinds of output in nbformat 4.
const (
	StreamOutput  OutputType = "stream"
	DisplayOutput OutputType = "display_data"
	ResultOutput  OutputType = "execute_result"
	ErrorOutput   OutputType = "error"
)

// An Output is one output of a code cell. Which fields count depends on the type.
type Output struct {
	Type OutputType

	// Stream
	Name string // stdout or stderr
	Text string

	// Display and result. Data maps a MIME type to a JSON value: a string, joined if the file has a list of lines; base64
	// for binary content; any value for application/json and +json types.
	Data     map[string]json.RawMessage
	Metadata map[string]json.RawMessage
	Count    int // results only: the cell's execution count

	// Error
	EName     string
	EValue    string
	Traceback []string
}

// MarshalJSON writes the output as nbformat 4 has it, text as a list of lines.
func (o Output) MarshalJSON() ([]byte, error) {
	switch o.Type {
	case StreamOutput:
		return encode(struct {
			Name string     `json:"name"`
			Type OutputType `json:"output_type"`
			Text []string   `json:"text"`
		}{o.Name, o.Type, splitLines(o.Text)})
	case DisplayOutput:
		return encode(struct {
			Data     map[string]json.RawMessage `json:"data"`
			Metadata map[string]json.RawMessage `json:"metadata"`
			Type     OutputType                 `json:"output_type"`
		}{splitBundle(o.Data), notNil(o.Metadata), o.Type})
	case ResultOutput:
		return encode(struct {
			Data     map[string]json.RawMessage `json:"data"`
			Count    int                        `json:"execution_count"`
			Metadata map[string]json.RawMessage `json:"metadata"`
			Type     OutputType                 `json:"output_type"`
		}{splitBundle(o.Data), o.Count, notNil(o.Metadata), o.Type})
	case ErrorOutput:
		return encode(struct {
			EName     string     `json:"ename"`
			EValue    string     `json:"evalue"`
			Type      OutputType `json:"output_type"`
			Traceback []string   `json:"traceback"`
		}{o.EName, o.EValue, o.Type, append([]string{}, o.Traceback...)})
	}
	return nil, fmt.Errorf("output_type %q is not known", o.Type)
}

// UnmarshalJSON reads an output as nbformat 4 has it.
func (o *Output) UnmarshalJSON(raw []byte) error {
	var in struct {
		Type      OutputType                 `json:"output_type"`
		Name      string                     `json:"name"`
		Text      json.RawMessage            `json:"text"`
		Data      map[string]json.RawMessage `json:"data"`
		Metadata  map[string]json.RawMessage `json:"metadata"`
		Count     int                        `json:"execution_count"`
		EName     string                     `json:"ename"`
		EValue    string                     `json:"evalue"`
		Traceback []string                   `json:"traceback"`
	}
	if err := json.Unmarshal(raw, &in); err != nil {
		return err
	}
	*o = Output{Type: in.Type, Name: in.Name, Metadata: in.Metadata, Count: in.Count,
		EName: in.EName, EValue: in.EValue, Traceback: in.Traceback}
	switch in.Type {
	case StreamOutput:
		text, err := joinLines(in.Text)
		if err != nil {
			return fmt.Errorf("text is %w", err)
		}
		o.Text = text
	case DisplayOutput, ResultOutput:
		data, err := joinBundle(in.Data)
		if err != nil {
			return err
		}
		o.Data = data
	case ErrorOutput:
	default:
		return fmt.Errorf("output_type %q is not known", in.Type)
	}
	return nil
}

// Plain returns the text/plain form of a display or result, empty where there is none.
func (o Output) Plain() string {
	text, err := joinLines(o.Data["text/plain"])
	if err != nil {
		return ""
	}
	return text
}

// isJSON says whether a MIME type's content is embedded as a JSON value rather than as a string.
func isJSON(mime string) bool {
	return mime == "application/json" || strings.HasPrefix(mime, "application/") && strings.HasSuffix(mime, "+json")
}

// isSplit says whether nbformat saves a MIME type's content as a list of lines.
func isSplit(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "application/javascript" || mime == "image/svg+xml"
}

func splitBundle(data map[string]json.RawMessage) map[string]json.RawMessage {
	split := make(map[string]json.RawMessage, len(data))
	for mime, raw := range data {
		split[mime] = raw
		var text string
		if isSplit(mime) && json.Unmarshal(raw, &text) == nil {
			split[mime] = mustEncode(splitLines(text))
		}
	}
	return split
}

func joinBundle(data map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	joined := make(map[string]json.RawMessage, len(data))
	for mime, raw := range data {
		joined[mime] = raw
		if isJSON(mime) {
			continue
		}
		text, err := joinLines(raw)
		if err != nil {
			return nil, fmt.Errorf("%s is %w", mime, err)
		}
		joined[mime] = mustEncode(text)
	}
	return joined, nil
}

// encodeBundle turns a bundle into the data and metadata of an output. A representation that JSON cannot hold (a NaN in
// application/json, say) is left out and named by problems, in the order of the MIME types.
func encodeBundle(b display.Bundle) (data, metadata map[string]json.RawMessage, problems []string) {
	data = make(map[string]json.RawMessage, len(b.Data))
	for _, mime := range slices.Sorted(maps.Keys(b.Data)) {
		value := b.Data[mime]
		if content, ok := value.([]byte); ok {
			value = base64.StdEncoding.EncodeToString(content)
		}
		raw, err := encode(value)
		if err != nil {
			problems = append(problems, fmt.Sprintf("%s left out: %v", mime, err))
			continue
		}
		data[mime] = raw
	}
	metadata = make(map[string]json.RawMessage, len(b.Metadata))
	for _, key := range slices.Sorted(maps.Keys(b.Metadata)) {
		raw, err := encode(b.Metadata[key])
		if err != nil {
			problems = append(problems, fmt.Sprintf("metadata of %s left out: %v", key, err))
			continue
		}
		metadata[key] = raw
	}
	return data, metadata, problems
}

func notNil(m map[string]json.RawMessage) map[string]json.RawMessage {
	if m == nil {
		return map[string]json.RawMessage{}
	}
	return m
}
