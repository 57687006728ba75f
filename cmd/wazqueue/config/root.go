package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func (c *Config) readRoot(root node) {
	known := fields{
		"name":     func(n node) { n.word(&c.Name) },
		"main":     c.readMain,
		"queues":   c.readQueues,
		"wazqueue": c.readOwn,
		"$schema":  func(node) {}, // an editor's, not ours
	}
	members, _ := root.members()
	var unknown []node
	for _, m := range members {
		if read := known[m.name]; read != nil {
			c.At[m.name] = m.at()
			read(m)
		} else {
			unknown = append(unknown, m)
		}
	}
	if _, ok := c.At["main"]; !ok {
		root.child("main", root.offset, nil).refuse("is missing: the path of the program, such as app.wasm or app.js")
	}
	warnUnknown(unknown)
	c.warnPermitted(root.src)
}

// warnUnknown gives one warning for all: a wrangler file has many keys that
// mean something elsewhere.
func warnUnknown(unknown []node) {
	if len(unknown) == 0 {
		return
	}
	var names []string
	for _, n := range unknown {
		names = append(names, plain(n.name))
	}
	at := unknown[0].at()
	at.Key = ""
	unknown[0].src.warn(at, "unknown keys are ignored: %s", strings.Join(names, ", "))
}

func (c *Config) readMain(n node) {
	n.word(&c.Main)
	if c.Main == "" {
		return
	}
	c.Main = c.beside(c.Main)
	info, err := os.Stat(c.Main)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n.refuse("there is no file %s", c.Main)
	case err != nil:
		n.refuse("%s: %v", c.Main, cause(err))
	case info.IsDir():
		n.refuse("%s is a directory", c.Main)
	}
}

// beside makes a path relative to the file one to the working directory.
func (c *Config) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(c.File), path)
}

func (c *Config) warnPermitted(src *source) {
	for _, p := range c.Permitted {
		if c.Bindings()[p.Binding] == "" {
			src.warn(p.At, "no producer has the binding %q; its use ends the event", p.Binding)
		}
	}
}
