package hostfn

import (
	"bytes"
	"encoding/json"

	"golang.org/x/net/http/httpguts"

	"github.com/wazqueue/wazqueue/bridge"
)

// parseHeader reads [["name","value"],…], valid names and values of HTTP.
func parseHeader(text []byte) ([][2]string, error) {
	out := outgoing.Get().(*outbox)
	defer outgoing.Put(out)
	var err error
	if out.body, err = bridge.AppendJSON(out.body[:0], text); err != nil {
		return nil, errHeader
	}
	c := canonical{out.body}
	if !c.take('[') {
		return nil, errHeader
	}
	var header [][2]string
	for !c.take(']') {
		line, ok := c.pair(len(header) > 0)
		if !ok || !httpguts.ValidHeaderFieldName(line[0]) || !httpguts.ValidHeaderFieldValue(line[1]) {
			return nil, errHeader
		}
		header = append(header, line)
	}
	return header, nil
}

// canonical is the rest of a canonical JSON text: there are no blanks, and what
// follows is well-formed.
type canonical struct{ rest []byte }

// take steps over a byte, if it is the next.
func (c *canonical) take(b byte) bool {
	if len(c.rest) == 0 || c.rest[0] != b {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

// pair reads an array of two strings, behind a comma or not.
func (c *canonical) pair(comma bool) (pair [2]string, ok bool) {
	if comma && !c.take(',') || !c.take('[') {
		return pair, false
	}
	for i := range pair {
		if i > 0 && !c.take(',') {
			return pair, false
		}
		if pair[i], ok = c.text(); !ok {
			return pair, false
		}
	}
	return pair, c.take(']')
}

// text reads a string.
func (c *canonical) text() (s string, ok bool) {
	if len(c.rest) == 0 || c.rest[0] != '"' {
		return "", false
	}
	end := 1
	for c.rest[end] != '"' {
		if c.rest[end] == '\\' {
			end++
		}
		end++
	}
	quoted := c.rest[:end+1]
	c.rest = c.rest[end+1:]
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1:end]), true
	}
	return s, json.Unmarshal(quoted, &s) == nil
}
