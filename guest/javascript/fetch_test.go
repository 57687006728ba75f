package javascript_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRequest(t *testing.T) {
	t.Parallel()
	g := script(t, saying(`
		const seen = [request.method, request.url, request.headers.get("HOST"), request.headers.has("x-b"), request.headers.get("x-b")];
		seen.push(JSON.stringify([...request.headers]), request.bodyUsed, await request.text(), request.bodyUsed);
		try { await request.text() } catch (e) { seen.push(e.message) }
		return seen.join("|")`))
	const want = `POST|http://host:8787/a/b?c=d|host:8787|false||[["host","host:8787"],["x-a","1"]]|false|é页😀|true|the request's body has been read already`
	if diff := cmp.Diff(want, post(t, g, "é页😀")); diff != "" {
		t.Error(diff)
	}
}

// Bodies are bytes; as text they are what TextDecoder makes of them.
func TestRequestBody(t *testing.T) {
	t.Parallel()
	text := script(t, saying(`return JSON.stringify(await request.text())`))
	raw := script(t, `export async function fetch(request) { return new Response(await request.bytes()) }`)
	buffer := script(t, `export async function fetch(request) { return new Response(await request.arrayBuffer()) }`)
	for body, want := range map[string]string{
		"":                              `""`,
		"\x00\"":                        `"\u0000\""`,
		"\ufeffa":                       `"a"`,
		"\xff\xfe":                      `"` + "\ufffd\ufffd" + `"`,
		"a\xe4\xbdb":                    `"a` + "\ufffd" + `b"`,
		"\xf0\x9f\x98":                  `"` + "\ufffd" + `"`,
		"\xf0\x9fx\xe9":                 `"` + "\ufffdx\ufffd" + `"`,
		"\xed\xa0\x80":                  `"` + "\ufffd\ufffd\ufffd" + `"`,
		"\xc0\xaf\xf5":                  `"` + "\ufffd\ufffd\ufffd" + `"`,
		"\xe0\x80\xf0\x80\xf4\x90":      `"` + "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd" + `"`,
		strings.Repeat("页", 100_000):    `"` + strings.Repeat("页", 100_000) + `"`,
		strings.Repeat("a", 3<<20):      `"` + strings.Repeat("a", 3<<20) + `"`,
		strings.Repeat("a", bufferSize): `"` + strings.Repeat("a", bufferSize) + `"`,
		"\U0010ffff\U00010000\ud7ff":    `"` + "\U0010ffff\U00010000\ud7ff" + `"`,
	} {
		if got := post(t, text, body); got != want {
			t.Errorf("%.20q as text is %.60q, want %.60q", body, got, want)
		}
		if got := post(t, raw, body); got != body {
			t.Errorf("%.20q as bytes is %.60q", body, got)
		}
		if got := post(t, buffer, body); got != body {
			t.Errorf("%.20q as a buffer is %.60q", body, got)
		}
	}
	if got := post(t, script(t, saying(`return (await request.json()).a[1]`)), `{"a":[1,"é"]}`); got != "é" {
		t.Errorf("json is %q", got)
	}
	if got := post(t, script(t, saying(`return (await request.json()).a[1]`)), `{"a"`); !strings.Contains(got, "JSON") {
		t.Errorf("bad json is %q", got)
	}
}

const bufferSize = 64 << 10

func TestResponse(t *testing.T) {
	t.Parallel()
	typed := [][2]string{{"content-type", "text/plain;charset=UTF-8"}}
	type answer struct {
		Status int
		Header [][2]string
		Body   string
	}
	tests := []struct {
		name, statements string
		want             answer
	}{
		{"a text", `return new Response("é页😀\ud800")`, answer{Status: 200, Header: typed, Body: "é页😀\ufffd"}},
		{"nothing in it", `return new Response()`, answer{Status: 200}},
		{"null", `return new Response(null, {status: 204})`, answer{Status: 204}},
		{"bytes", `return new Response(new Uint8Array([0, 255, 1]).subarray(1))`, answer{Status: 200, Body: "\xff\x01"}},
		{"a number", `return new Response(5)`, answer{Status: 200, Body: "5"}},
		{"headers", `return new Response("a", {status: 599, headers: {"Content-Type": "a/b", "X-Q": '"\\é\t'}})`,
			answer{Status: 599, Header: [][2]string{{"content-type", "a/b"}, {"x-q", "\"\\é\t"}}, Body: "a"}},
		{"repeated headers", `const r = new Response(null, {headers: [["set-cookie", "a"], ["Set-Cookie", "b"]]}); r.headers.append("x", 1); r.headers.set("x", 2); return r`,
			answer{Status: 200, Header: [][2]string{{"set-cookie", "a"}, {"set-cookie", "b"}, {"x", "2"}}}},
		{"those of another", `return new Response("", {headers: new Headers({a: "b"})})`, answer{Status: 200, Header: append([][2]string{{"a", "b"}}, typed...)}},
		{"json", `return Response.json({a: "\ud800", b: undefined}, {status: 201})`,
			answer{Status: 201, Header: [][2]string{{"content-type", "application/json"}}, Body: `{"a":"\ud800"}`}},
		{"a redirection", `return Response.redirect("/a")`, answer{Status: 302, Header: [][2]string{{"location", "/a"}}}},
		{"a promise", `return Promise.resolve(Promise.resolve(new Response(null)))`, answer{Status: 200}},
		{"one of another make", `return {then: (yes) => yes({then: (yes) => yes(new Response("a"))})}`, answer{Status: 200, Header: typed, Body: "a"}},
		{"none", ``, answer{Status: 204}},
		{"by the interface's own function", `答复入站请求(202, '[["a","b"]]', "c")`, answer{Status: 202, Header: [][2]string{{"a", "b"}}, Body: "c"}},
		{"a large one", `return new Response("页".repeat(1e6), {headers: {a: "b".repeat(1e5)}})`,
			answer{Status: 200, Header: append([][2]string{{"a", strings.Repeat("b", 1e5)}}, typed...), Body: strings.Repeat("页", 1e6)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := script(t, fetching(tt.statements)).Fetch("GET", "http://h/", "")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, answer{r.Status, r.Header, string(r.Body)}); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// An answer that is none fails the event, with the reason.
func TestBadResponses(t *testing.T) {
	t.Parallel()
	const header = "答复头不是有效的 JSON 数组"
	for statements, want := range map[string]string{
		`return "hello"`:                                                           `fetch returned hello, not a Response`,
		`return {status: 200}`:                                                     `fetch returned {"status":200}, not a Response`,
		`return null`:                                                              `fetch returned null, not a Response`,
		`return new Response("", {status: 199})`:                                   "答复状态须在 200 至 599 之间",
		`return new Response("", {status: 2 ** 33})`:                               "答复状态须在 200 至 599 之间",
		`return new Response("", {headers: {"a b": "c"}})`:                         header,
		`return new Response("", {headers: {a: "b\nc"}})`:                          header,
		`return new Response("", {headers: {a: "b\0c\0d"}})`:                       header,
		`return new Response("", {headers: {a: "\ud800"}})`:                        header,
		`return new Response("", {headers: {"": ""}})`:                             header,
		`答复入站请求(200, "[]", ""); return new Response("")`:                           "请求已经答复",
		`return Object.create(Response.prototype)`:                                 "TypeError",
		`return new Response(Object.create(Uint8Array.prototype))`:                 "TypeError",
		`const b = new Uint8Array(8); b.buffer.transfer(); return new Response(b)`: "TypeError",
	} {
		t.Run(statements, func(t *testing.T) {
			t.Parallel()
			_, err := script(t, fetching(statements)).Fetch("GET", "http://h/", "")
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	got := answers(t, `
		const u = new URL(request.url + "&e=%E9%A1%B5+%2B&e=%&f#g?h"), p = u.searchParams;
		const made = new URLSearchParams({a: "b c", d: "é&="}); made.append("a", 1);
		return Response.json([
			u.protocol, u.host, u.hostname, u.port, u.origin, u.pathname, u.search, u.hash, u.href, String(u), u,
			p.get("c"), p.getAll("e"), p.get("f"), p.get("g"), p.has("f"), p.size, [...p.keys()],
			new URL("HTTPS://EXAMPLE.com:443").href, new URL("/x?y", u).href, new URL("z", "http://[::1]:5/a/b").href,
			made.toString(), new URLSearchParams(made.toString()).getAll("d"), new URL("http://h?a").pathname,
		])`)
	const want = `["http:","host:8787","host","8787","http://host:8787","/a/b","?c=d&e=%E9%A1%B5+%2B&e=%&f","#g?h",` +
		`"http://host:8787/a/b?c=d&e=%E9%A1%B5+%2B&e=%&f#g?h","http://host:8787/a/b?c=d&e=%E9%A1%B5+%2B&e=%&f#g?h","http://host:8787/a/b?c=d&e=%E9%A1%B5+%2B&e=%&f#g?h",` +
		`"d",["页 +","%"],"",null,true,4,["c","e","e","f"],` +
		`"https://example.com/","http://host:8787/x?y","http://[::1]:5/a/z",` +
		`"a=b+c&d=%C3%A9%26%3D&a=1",["é&="],"/"]`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "/a", "host", "http:", "http://", "http://:80"} {
		if got := answers(t, `try { return new Response(new URL("`+bad+`").href) } catch (e) { return new Response(e.name) }`); got != "TypeError" {
			t.Errorf("%q is %s", bad, got)
		}
	}
}
