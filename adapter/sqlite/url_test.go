package sqlite

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, url, path, sync string }{
		{"absolute", "sqlite:/var/q.db", "/var/q.db", "full"},
		{"three slashes", "sqlite:///var/q.db", "/var/q.db", "full"},
		{"relative", "sqlite:data/q.db", here + "/data/q.db", "full"},
		{"dot", "sqlite:./q.db", here + "/q.db", "full"},
		{"normal", "sqlite:/q.db?synchronous=normal", "/q.db", "normal"},
		{"full in capitals", "sqlite:/q.db?synchronous=FULL", "/q.db", "full"},
		{"empty query", "sqlite:/q.db?", "/q.db", "full"},
		{"escapes", "sqlite:/a%20b/50%25%3Fx%23.db", "/a b/50%?x#.db", "full"},
		{"raw number sign and plus", "sqlite:/a#b+c.db", "/a#b+c.db", "full"},
		{"not ASCII", "sqlite:/队列/%E9%98%9F.db", "/队列/队.db", "full"},
		{"a file whose name is not a memory database", "sqlite:./:memory:", here + "/:memory:", "full"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseURL(tt.url)
			if want := (target{tt.path, tt.sync}); err != nil || got != want {
				t.Errorf("parseURL(%q) = %+v, %v, want %+v", tt.url, got, err, want)
			}
		})
	}
}

func TestParseURLRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, url, says string }{
		{"another scheme", "postgres:q.db", "does not begin with sqlite:"},
		{"no scheme", "q.db", "does not begin with sqlite:"},
		{"no path", "sqlite:", "names no file"},
		{"no path but a query", "sqlite:?synchronous=full", "names no file"},
		{"a host", "sqlite://host/q.db", "names a host"},
		{"memory", "sqlite::memory:", "use memory: for queues that need not last"},
		{"escaped memory", "sqlite:%3Amemory%3a", "use memory: for queues that need not last"},
		{"synchronous off", "sqlite:q.db?synchronous=off", "damage the whole file"},
		{"synchronous OFF", "sqlite:q.db?synchronous=OFF", "damage the whole file"},
		{"synchronous 1", "sqlite:q.db?synchronous=1", "is not full or normal"},
		{"synchronous empty", "sqlite:q.db?synchronous=", "is not full or normal"},
		{"synchronous twice", "sqlite:q.db?synchronous=full&synchronous=normal", "more than once"},
		{"unknown parameter", "sqlite:q.db?mode=ro", `unknown parameter "mode"`},
		{"a driver's parameter", "sqlite:q.db?_pragma=synchronous(0)", `unknown parameter "_pragma"`},
		{"a bad escape", "sqlite:a%zz.db", "invalid URL escape"},
		{"a zero byte", "sqlite:a%00.db", "zero byte"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := parseURL(tt.url)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("parseURL(%q) = %+v, %v, want an error that says %q", tt.url, got, err, tt.says)
			}
		})
	}
}
