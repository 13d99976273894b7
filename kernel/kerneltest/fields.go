package kerneltest

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A check says what is wrong with a decoded JSON value.
type check func(v any) error

// A shape is a JSON object: its fields, all required unless optional, and no others.
type shape map[string]check

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
	for _, name := range slices.Sorted(maps.Keys(s)) {
		field, present := fields[name]
		if !present {
			field = missing{}
		}
		if err := s[name](field); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
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

// number is any number.
func number(v any) error {
	if _, isNumber := v.(float64); !isNumber {
		return fmt.Errorf("%v is not a number", v)
	}
	return nil
}

func object(v any) error {
	if _, ok := v.(map[string]any); !ok {
		return fmt.Errorf("%v is not an object", v)
	}
	return nil
}

func emptyObject(v any) error { return shape{}.check(v) }

// mapOf is an object of any keys, whose values pass c.
func mapOf(c check) check {
	return func(v any) error {
		if err := object(v); err != nil {
			return err
		}
		for key, value := range v.(map[string]any) {
			if err := c(value); err != nil {
				return fmt.Errorf("[%q]: %w", key, err)
			}
		}
		return nil
	}
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

// binary are the MIME types whose data is base64.
var binary = regexp.MustCompile(`^(image/(png|jpeg|gif|webp)|application/pdf)$`)

// mimeBundle is an object of MIME types, text/plain among them. Text is a string, so are pictures, in base64; only JSON is
// embedded as it is.
func mimeBundle(v any) error {
	bundle, isObject := v.(map[string]any)
	if !isObject {
		return fmt.Errorf("%v is not an object", v)
	}
	if _, hasText := bundle["text/plain"]; !hasText {
		return errors.New("no text/plain")
	}
	for mime, data := range bundle {
		if err := representation(mime, data); err != nil {
			return err
		}
	}
	return nil
}

// representation is one entry of a MIME bundle.
func representation(mime string, data any) error {
	if !mimeType.MatchString(mime) {
		return fmt.Errorf("%q is not a MIME type", mime)
	}
	if mime == "application/json" || strings.HasSuffix(mime, "+json") {
		return nil
	}
	s, isText := data.(string)
	if !isText {
		return fmt.Errorf("%s: %v is not a string", mime, data)
	}
	if binary.MatchString(mime) {
		if _, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(s, "\n", "")); err != nil {
			return fmt.Errorf("%s: not base64: %w", mime, err)
		}
	}
	return nil
}
