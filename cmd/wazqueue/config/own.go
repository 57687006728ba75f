package config

import (
	"path/filepath"
	"strings"
)

func (c *Config) readOwn(n node) {
	at := n.object(fields{
		"store":       c.readStore,
		"permissions": func(n node) { n.object(fields{"QUEUE": c.readPermitted}) },
		"limits":      c.readLimits,
		"env":         c.readEnv,
		"instance":    c.readInstance,
	})
	for key, p := range at {
		c.At["wazqueue."+key] = p
	}
}

func (c *Config) readStore(n node) {
	n.word(&c.Store)
	if c.Store == "" {
		return
	}
	scheme, rest, ok := strings.Cut(c.Store, ":")
	if !ok || scheme == "" {
		n.refuse("must be a URL such as memory: or sqlite:queues.db, is %q", shorten(c.Store))
		return
	}
	if scheme != "sqlite" {
		return
	}
	path, query, hasQuery := strings.Cut(rest, "?")
	switch {
	case path == "":
		n.refuse("must name a file, such as sqlite:queues.db")
		return
	case filepath.IsAbs(path), path == ":memory:": // which the store will refuse itself
		return
	}
	c.Store = scheme + ":" + c.besideURL(path)
	if hasQuery {
		c.Store += "?" + query
	}
}

// besideURL is beside for a path in a store's URL, where percent signs escape.
func (c *Config) besideURL(path string) string {
	dir := strings.NewReplacer("%", "%25", "?", "%3F").Replace(filepath.Dir(c.File))
	return filepath.ToSlash(filepath.Join(dir, path))
}

func (c *Config) readPermitted(n node) {
	c.Permitted = []Permission{}
	n.each(func(n node) {
		p := Permission{At: n.at()}
		if n.word(&p.Binding); p.Binding != "" {
			c.Permitted = append(c.Permitted, p)
		}
	})
}

func (c *Config) readLimits(n node) {
	l := &c.Limits
	n.object(fields{
		"event_seconds": func(n node) { n.seconds(&l.Event, 0.001, 86_400) },
		"memory_mib":    func(n node) { n.whole(&l.MemoryMiB, 1, 4096) },
		"output_bytes":  func(n node) { n.whole(&l.OutputBytes, 1, 1<<30) },
		"instances":     func(n node) { n.whole(&l.Instances, 1, 100_000) },
		"grace_seconds": func(n node) { n.seconds(&l.Grace, 0, 3600) },
	})
}

func (c *Config) readInstance(n node) {
	switch n.word(&c.Instance); c.Instance {
	case "", "auto", "new", "rewind":
	default:
		n.refuse("must be auto, new or rewind, is %q", shorten(c.Instance))
	}
}

func (c *Config) readEnv(n node) {
	c.Env = make(map[string]string)
	members, _ := n.members()
	for _, m := range members {
		v, ok := m.text()
		switch {
		case m.name == "" || strings.ContainsAny(m.name, "=\x00"):
			m.refuse("cannot be a variable's name")
		case strings.Contains(v, "\x00"):
			m.refuse("must not hold a zero byte")
		case ok:
			c.Env[m.name] = v
		}
	}
}
