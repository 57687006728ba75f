package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/tailscale/hujson"
)

// node is a value of the file with the key that leads to it.
type node struct {
	src    *source
	name   string // the last part of key
	key    string
	offset int // of the key, or of an array's element
	value  hujson.ValueTrimmed
}

func (n node) at() Position {
	return Position{File: n.src.file, Line: n.src.line(n.offset), Key: n.key}
}

func (n node) refuse(format string, args ...any) { n.src.refuse(n.at(), format, args...) }

// must refuses the node for not being what, and says what it is.
func (n node) must(what string) { n.refuse("must be %s, is %s", what, kind(n.value)) }

func (n node) child(name string, offset int, v hujson.ValueTrimmed) node {
	return node{src: n.src, name: name, key: strings.TrimPrefix(n.key+"."+plain(name), "."), offset: offset, value: v}
}

// plain is a key as messages show it: quoted when it could be misread.
func plain(key string) string {
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-$", r)
	}
	if key == "" || strings.ContainsFunc(key, odd) {
		key = strconv.Quote(key)
	}
	return shorten(key)
}

// members are the object's keys in order, each once.
func (n node) members() ([]node, bool) {
	object, ok := n.value.(*hujson.Object)
	if !ok {
		n.must("an object")
		return nil, false
	}
	var out []node
	first := make(map[string]node)
	for _, m := range object.Members {
		name := m.Name.Value.(hujson.Literal).String()
		c := n.child(name, m.Name.StartOffset, m.Value.Value)
		if f, twice := first[name]; twice {
			c.refuse("is given twice, first in line %d", n.src.line(f.offset))
			continue
		}
		first[name] = c
		out = append(out, c)
	}
	return out, true
}

// fields are the readers of an object's known keys.
type fields map[string]func(node)

// object reads the known keys, refuses others and missing ones, and returns
// where each stands.
func (n node) object(known fields, required ...string) Places {
	at := Places{}
	members, ok := n.members()
	for _, m := range members {
		at[m.name] = m.at()
		if read := known[m.name]; read != nil {
			read(m)
		} else {
			m.refuse("unknown key; known here: %s", strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	for _, r := range required {
		if _, found := at[r]; ok && !found {
			n.child(r, n.offset, nil).refuse("is missing")
		}
	}
	return at
}

// each reads an array's elements.
func (n node) each(read func(node)) {
	array, ok := n.value.(*hujson.Array)
	if !ok {
		n.must("an array")
		return
	}
	for i, e := range array.Elements {
		c := n
		c.key, c.offset, c.value = fmt.Sprintf("%s[%d]", n.key, i), e.StartOffset, e.Value
		read(c)
	}
}

func (n node) literal(k hujson.Kind) (hujson.Literal, bool) {
	lit, ok := n.value.(hujson.Literal)
	return lit, ok && lit.Kind() == k
}

func (n node) isNull() bool {
	_, ok := n.literal('n')
	return ok
}

// text reads a string that may be empty.
func (n node) text() (string, bool) {
	lit, ok := n.literal('"')
	if !ok {
		n.must("a string")
		return "", false
	}
	var s string
	if err := json.Unmarshal(lit, &s); err != nil || strings.ContainsRune(s, unicode.ReplacementChar) {
		n.refuse("is not valid text: %s", shorten(string(lit)))
		return "", false
	}
	return s, true
}

// word reads a name: text that is not empty and has no control characters.
func (n node) word(into *string) {
	s, ok := n.text()
	switch {
	case !ok:
	case s == "":
		n.refuse("must not be empty")
	case strings.ContainsFunc(s, unicode.IsControl):
		n.refuse("must not hold control characters, is %s", shorten(strconv.Quote(s)))
	default:
		*into = s
	}
}

// number reads a number from lo to hi; whole says that it has no fraction.
func (n node) number(lo, hi float64, whole bool) (float64, bool) {
	what := "a number"
	if whole {
		what = "a whole number"
	}
	lit, ok := n.literal('0')
	if !ok {
		n.must(what)
		return 0, false
	}
	f, err := strconv.ParseFloat(string(lit), 64)
	switch {
	case err != nil || f < lo || f > hi:
		n.refuse("must be %s to %s, is %s", decimal(lo), decimal(hi), shorten(string(lit)))
	case whole && f != math.Trunc(f):
		n.refuse("must be %s, is %s", what, shorten(string(lit)))
	default:
		return f, true
	}
	return 0, false
}

// whole reads a whole number; false: there was none and into is as it was.
func (n node) whole(into *int, lo, hi int) bool {
	f, ok := n.number(float64(lo), float64(hi), true)
	if ok {
		*into = int(f)
	}
	return ok
}

// seconds reads a time in seconds, which may have a fraction.
func (n node) seconds(into *time.Duration, lo, hi float64) bool {
	f, ok := n.number(lo, hi, false)
	if ok {
		*into = time.Duration(math.Round(f * float64(time.Second)))
	}
	return ok
}

// optional reads a value whose absence means something.
func optional[T any](into **T, read func(*T) bool) {
	if v := new(T); read(v) {
		*into = v
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func kind(v hujson.ValueTrimmed) string {
	switch v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "a boolean"
}

func shorten(s string) string {
	const limit = 60
	if r := []rune(s); len(r) > limit {
		return string(r[:limit]) + "…"
	}
	return s
}
