package adaptertest

import (
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
)

// names are valid UTF-8 texts that stores and their wires tend to confuse.
var names = []string{
	"plain", "Plain", "PLAIN", "plain ", " plain", "plain\t", "pla in", "plain.", "plain:", "plain/", "..", ".", "a/b", "a.b", "a:b", "a,b",
	"*", ">", "a.*", "a.>", "%", "%s", "_", "a%b", "a_b", "?", "#", "$1", "{a}", "[a]", `"`, `'`, "`", `\`, "'; drop table q; --", "null", "0", "-1",
	"\x00", "a\x00b", "\n", "a\r\nb", "\x1b[2J", "\x7f", "页面渲染", "页面渲染 ", "消息·队列", "café", "cafe\u0301", "ß", "ss", "İ", "ı", "\u200b", "\ufeff", "\U0001f680",
	strings.Repeat("long", 250), strings.Repeat("long", 250) + "r", strings.Repeat("很长的名字", 100),
}

var nameTests = []test{
	{name: "any UTF-8 text is a name of its own", run: func(e *env) {
		for _, n := range names {
			e.send(n, "body of "+n)
		}
		for _, n := range names {
			ds := e.take(n, "body of "+n)
			e.settle(n, retry(0, ds...)...)
		}
		for _, n := range names {
			ds := e.take(n, "body of "+n)
			e.settle(n, move("to "+n, ds...)...)
		}
		for _, n := range names {
			ds := e.take("to "+n, "body of "+n)
			if ds[0].Origin.Queue != n {
				e.Errorf("origin %q, want %q", ds[0].Origin.Queue, n)
			}
			e.settle("to "+n, ack(ds...)...)
		}
	}},
	{name: "and has settings and counts of its own", needs: control, run: func(e *env) {
		for i, n := range names {
			e.configure(n, func(s *adapter.Settings) { s.Retention = e.ticks(float64(3600 + i)) })
			e.send(n, make([]string, i%3+1)...)
		}
		want := slices.Sorted(slices.Values(names))
		if diff := cmp.Diff(want, e.listed()); diff != "" {
			e.Errorf("queues (-want +got):\n%s", diff)
		}
		for i, n := range names {
			if got := e.queue(n).Settings.Retention; got != e.ticks(float64(3600+i)) {
				e.Errorf("%q: retention %v, want %v", n, got, e.ticks(float64(3600+i)))
			}
			e.counts(n, int64(i%3+1), 0, 0)
		}
		for i, n := range names {
			e.purge(i%3+1, n)
			if err := e.a.Delete(e.ctx, n); err != nil {
				e.Errorf("Delete %q: %v", n, err)
			}
		}
		if got := e.listed(); len(got) != 0 {
			e.Errorf("queues %q were not deleted", got)
		}
	}},
}
