package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tailscale/hujson"
)

const (
	maxBytes = 1 << 20
	// maxOpen bounds the brackets of a file, because the parser recurses at
	// each without a limit of its own.
	maxOpen = 10_000
)

// source is one file while it is read, and what was found wrong with it.
type source struct {
	file     string
	text     []byte
	problems []*Problem
	warnings []Warning
}

func (s *source) err() error {
	var errs []error
	for _, p := range s.problems {
		errs = append(errs, p)
	}
	return errors.Join(errs...)
}

func (s *source) refuse(at Position, format string, args ...any) {
	s.problems = append(s.problems, &Problem{at, fmt.Sprintf(format, args...)})
}

func (s *source) warn(at Position, format string, args ...any) {
	s.warnings = append(s.warnings, Warning{at, fmt.Sprintf(format, args...)})
}

// line returns the number of the line that holds the byte at offset.
func (s *source) line(offset int) int {
	return 1 + bytes.Count(s.text[:min(offset, len(s.text))], []byte("\n"))
}

// parse reads the file into a tree, or refuses it as a whole.
func (s *source) parse() (node, bool) {
	whole := Position{File: s.file}
	text, err := read(s.file)
	if err != nil {
		s.refuse(whole, "cannot be read: %v", cause(err))
		return node{}, false
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	// A comment may end with the file, which the parser does not take.
	s.text = append(bytes.Clone(text), '\n')
	if at, why := unfit(s.file, text); why != "" {
		whole.Line = at
		s.refuse(whole, "%s", why)
		return node{}, false
	}
	root, err := hujson.Parse(s.text)
	if err != nil {
		at, why := syntax(s.file, err)
		s.refuse(at, "is not JSONC: %s", why)
		return node{}, false
	}
	n := node{src: s, offset: root.StartOffset, value: root.Value}
	if root.Value.Kind() != '{' {
		s.refuse(n.at(), "must be a JSON object, is %s", kind(root.Value))
		return node{}, false
	}
	return n, true
}

// read stops soon after maxBytes, whatever the file is.
func read(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxBytes+1))
}

// unfit says why a text cannot be JSONC at all, and in which line.
func unfit(file string, text []byte) (int, string) {
	switch {
	case strings.EqualFold(filepath.Ext(file), ".toml"):
		return 0, "TOML is not read; write the file as JSON or JSONC"
	case len(text) > maxBytes:
		return 0, fmt.Sprintf("is larger than %d bytes", maxBytes)
	case len(bytes.TrimSpace(text)) == 0:
		return 0, "is empty"
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("\xfe\xff")):
		return 0, "is UTF-16; save it as UTF-8"
	case !utf8.Valid(text):
		return badLine(text), "is not valid UTF-8"
	case bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxOpen:
		return 0, fmt.Sprintf("has more than %d opening brackets", maxOpen)
	}
	return 0, ""
}

func badLine(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		text = text[n:]
	}
	return line
}

// syntax splits the parser's error, which has its place only as text.
func syntax(file string, err error) (Position, string) {
	at := Position{File: file}
	column := 0
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &at.Line, &column); n != 2 {
		return at, err.Error()
	}
	why := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' ' // the parser quotes the file as it is
		}
		return r
	}, errors.Unwrap(err).Error())
	return at, fmt.Sprintf("column %d: %s", column, shorten(why))
}

// cause is a file error without the path that the message has already.
func cause(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}
