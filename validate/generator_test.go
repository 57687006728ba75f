package validate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// generator makes texts that are JSON, nearly so or not at all, of what is easy
// to get wrong.
type generator struct {
	*rand.Rand
	texts [][]byte // earlier ones, to splice with
}

func newGenerator(seed uint64) *generator {
	return &generator{Rand: rand.New(rand.NewPCG(seed, 0))}
}

// request is one request to the oracle.
func (g *generator) request() []byte {
	switch n := g.IntN(100); {
	case n < 30:
		return append([]byte{'C', byte(g.IntN(40))}, g.text()...)
	case n < 60:
		return append([]byte{'B'}, g.text()...)
	case n < 95:
		return append([]byte{'A'}, g.spoilt(g.batch())...)
	}
	return append([]byte{'S'}, strings.ToValidUTF8(string(g.content(nil)), "\uFFFD")...)
}

// text is a text for Canonical and Body.
func (g *generator) text() []byte {
	switch n := g.IntN(200); {
	case n < 6:
		b := make([]byte, g.IntN(30))
		for i := range b {
			b[i] = byte(g.Uint32())
		}
		return b
	case n < 12:
		return g.deep()
	case n < 13:
		return g.wide()
	case n < 14:
		return g.large()
	}
	return g.spoilt(g.value(nil, g.IntN(5)))
}

// spoilt is b, now and then with something broken in it.
func (g *generator) spoilt(b []byte) []byte {
	for g.IntN(3) == 0 && len(b) > 0 {
		i, j := g.IntN(len(b)), g.IntN(len(b))
		switch g.IntN(7) {
		case 0:
			b[i] = byte(g.Uint32())
		case 1:
			b = slices.Insert(b, i, []byte(one(g, breakers))...)
		case 2:
			b = slices.Delete(b, min(i, j), min(i, j)+1)
		case 3:
			b = b[:i]
		case 4:
			b = slices.Insert(b, i, b[min(i, j):max(i, j)]...)
		case 5:
			b[i], b[j] = b[j], b[i]
		case 6:
			if len(g.texts) > 0 {
				other := one(g, g.texts)
				b = append(b[:i], other[g.IntN(len(other)+1):]...)
			}
		}
	}
	if len(b) < 10_000 {
		if g.texts = append(g.texts, slices.Clone(b)); len(g.texts) > 500 {
			g.texts = g.texts[100:]
		}
	}
	return b
}

func (g *generator) value(b []byte, depth int) []byte {
	b = g.blank(b)
	switch n := g.IntN(10); {
	case depth > 0 && n < 4:
		b = g.object(b, depth-1)
	case depth > 0 && n < 6:
		b = g.list(b, '[', ']', g.IntN(5), func(b []byte) []byte { return g.value(b, depth-1) })
	case n < 8:
		b = g.str(b)
	case n < 9:
		b = g.number(b)
	default:
		b = append(b, one(g, []string{"true", "false", "null"})...)
	}
	return g.blank(b)
}

func (g *generator) list(b []byte, open, end byte, n int, element func([]byte) []byte) []byte {
	b = append(b, open)
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = element(b)
	}
	return append(g.blank(b), end)
}

func (g *generator) object(b []byte, depth int) []byte {
	n := g.IntN(7)
	if g.IntN(40) == 0 {
		n = g.IntN(150)
	}
	return g.list(b, '{', '}', n, func(b []byte) []byte {
		b = append(g.blank(g.name(g.blank(b))), ':')
		return g.value(b, depth)
	})
}

func (g *generator) name(b []byte) []byte {
	switch n := g.IntN(100); {
	case n < 1:
		return g.quoted(b, one(g, tokens))
	case n < 50:
		return g.quoted(b, one(g, keys))
	case n < 70:
		return g.quoted(b, strconv.Itoa(g.IntN(12)))
	case n < 75:
		return g.quoted(b, strconv.FormatUint(1<<32-4+g.Uint64N(6), 10))
	case n < 85:
		return g.quoted(b, "k"+strconv.Itoa(g.IntN(200)))
	}
	return g.str(b)
}

// quoted is s as a string, with some characters escaped in some way.
func (g *generator) quoted(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s {
		if g.IntN(12) == 0 || r == '"' || r == '\\' || r < ' ' {
			b = g.unicode(b, r)
		} else {
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

func (g *generator) unicode(b []byte, r rune) []byte {
	if r >= 0x10000 {
		r -= 0x10000
		return g.unicode(g.unicode(b, 0xD800+r>>10), 0xDC00+r&0x3FF)
	}
	digits := strconv.FormatInt(int64(r)+0x10000, 16)[1:]
	if g.IntN(2) == 0 {
		digits = strings.ToUpper(digits)
	}
	return append(append(b, `\u`...), digits...)
}

func (g *generator) str(b []byte) []byte { return append(g.content(append(b, '"')), '"') }

func (g *generator) content(b []byte) []byte {
	n := g.IntN(6)
	if g.IntN(20) == 0 {
		n = g.IntN(100)
	}
	for range n {
		switch g.IntN(6) {
		case 0:
			b = append(b, one(g, pieces)...)
		case 1:
			b = g.unicode(b, one(g, []rune{0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD83D, 0xDE00}))
		case 2:
			b = g.unicode(b, rune(g.IntN(0x10000)))
		case 3:
			b = g.unicode(b, rune(g.IntN(0x80)))
		default:
			b = append(b, "plain bytes "[:g.IntN(12)]...)
		}
	}
	return b
}

func (g *generator) number(b []byte) []byte {
	switch g.IntN(6) {
	case 0:
		return append(b, one(g, numbers)...)
	case 1:
		return strconv.AppendInt(b, g.Int64()>>g.IntN(64), 10)
	case 2:
		f := math.Float64frombits(g.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			f = 0.1
		}
		return strconv.AppendFloat(b, f, "eEf"[g.IntN(3)], g.IntN(20)-1, 64)
	case 3:
		return strconv.AppendFloat(b, g.Float64()*math.Pow(10, float64(g.IntN(40)-20)), 'f', g.IntN(25), 64)
	case 4:
		return strconv.AppendFloat(b, float64(g.IntN(2000)-1000)/64, 'f', -1, 64)
	}
	b = append(b, "-"[:g.IntN(2)]...)
	b = strconv.AppendUint(b, g.Uint64N(1000), 10)
	if g.IntN(2) == 0 {
		b = strconv.AppendUint(append(b, '.'), g.Uint64()>>g.IntN(64), 10)
	}
	if g.IntN(2) == 0 {
		b = append(append(b, one(g, []string{"e", "E", "e+", "e-", "E-"})...), strconv.Itoa(g.IntN(330))...)
	}
	return b
}

func (g *generator) blank(b []byte) []byte {
	for g.IntN(12) == 0 {
		b = append(b, " \t\r\n"[g.IntN(4)])
	}
	return b
}

// deep is nested about as deep as is allowed.
func (g *generator) deep() []byte {
	var b []byte
	n := 20 + g.IntN(8)
	ends := make([]byte, 0, n)
	for range n {
		if g.IntN(2) == 0 {
			b, ends = append(b, '['), append(ends, ']')
		} else {
			b, ends = append(g.name(append(b, '{')), ':'), append(ends, '}')
		}
	}
	b = g.value(b, 0)
	slices.Reverse(ends)
	return g.spoilt(append(b, ends...))
}

// wide has objects with many members, siblings and nested ones.
func (g *generator) wide() []byte {
	names := 1 + g.IntN(300)
	return g.list(nil, '[', ']', 1+g.IntN(3), func(b []byte) []byte {
		return g.list(b, '{', '}', g.IntN(400), func(b []byte) []byte {
			b = append(g.quoted(b, one(g, []string{"", "name ", "a longer name "})+strconv.Itoa(g.IntN(names))), ':')
			if g.IntN(50) == 0 {
				return g.object(b, 1)
			}
			return g.number(b)
		})
	})
}

// large is close to the largest body, as it is or in canonical form.
func (g *generator) large() []byte {
	size := 128_000 - 3 + g.IntN(6)
	switch g.IntN(4) {
	case 0:
		return []byte(`"` + strings.Repeat("x", size-2) + `"`)
	case 1:
		return []byte(strings.Repeat(" ", g.IntN(3)) + `"` + strings.Repeat("é", size/2-1) + `"`)
	case 2:
		return []byte("[" + strings.Repeat("1e20,", size/22) + strings.Repeat("1", 1+g.IntN(40)) + "]" + strings.Repeat("x", g.IntN(2)))
	}
	return []byte(`{"a":[` + strings.Repeat("1e20,", 10_000) + `0],"` + one(g, []string{"a", "b"}) + `":0}`)
}

func (g *generator) batch() []byte {
	n, item := 1+g.IntN(4), g.item
	switch g.IntN(80) {
	case 0:
		n = 0
	case 1:
		n, item = 98+g.IntN(5), func(b []byte) []byte { return append(b, `{"body":0}`...) }
	case 2:
		return g.largeBatch()
	}
	return g.list(g.blank(nil), '[', ']', n, func(b []byte) []byte {
		if g.IntN(60) == 0 {
			return g.value(b, 1)
		}
		return item(g.blank(b))
	})
}

func (g *generator) item(b []byte) []byte {
	fields := []string{"body"}
	for g.IntN(2) == 0 {
		fields = append(fields, one(g, []string{"body", "delaySeconds", "delaySeconds"}))
	}
	if g.IntN(50) == 0 {
		fields = append(fields, one(g, []string{"contentType", "", "Body", "$句柄"}))
	}
	if g.IntN(50) == 0 {
		fields = fields[1:]
	}
	g.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	i := 0
	return g.list(b, '{', '}', len(fields), func(b []byte) []byte {
		b = append(g.blank(g.quoted(g.blank(b), fields[i])), ':')
		i++
		if fields[i-1] == "delaySeconds" && g.IntN(40) != 0 {
			return append(g.blank(b), g.delay()...)
		}
		if g.IntN(80) == 0 {
			return append(b, g.deep()...)
		}
		return g.value(b, g.IntN(4))
	})
}

func (g *generator) delay() []byte {
	switch g.IntN(30) {
	case 0:
		return []byte(one(g, badDelays))
	case 1:
		return g.number(nil)
	}
	return []byte(one(g, delays))
}

// largeBatch is close to a limit of its bodies or of its text.
func (g *generator) largeBatch() []byte {
	near := func(size int) int { return size + g.IntN(5) - 2 }
	body := func(size int) string { return `{"body":"` + strings.Repeat("y", max(0, size-2)) + `"}` }
	switch g.IntN(3) {
	case 0:
		return []byte("[" + body(near(128_000)) + "]")
	case 1:
		text := "[" + body(1000) + "]"
		return []byte(text + strings.Repeat(" ", near(1<<20)-len(text)))
	}
	a := 64_000 + g.IntN(64_001)
	return []byte("[" + body(a) + "," + body(64_000) + "," + body(128_000-a) + "," + body(near(64_000)) + "]")
}

func one[T any](g *generator, list []T) T { return list[g.IntN(len(list))] }

var (
	tokens = []string{"$句柄", "$未定义", "$大整数", "$数字"}
	keys   = []string{
		"", "a", "b", "k", "__proto__", "constructor", "toJSON", "length", "$", "$句", "$句柄柄", "é", "e\u0301", "消息",
		"01", "00", "-0", "-1", "1.0", "1e0", " 1", "1 ", "12345678", "123456789012", "a name of many bytes", "seven77", "eight888", "\x00", "\"", "\\",
	}
	pieces = []string{
		"é", "消息", "😀", "\u2028\u2029", "\uFEFF", "\uFFFF", "\x7F", "\u0080", `\/`, `\\`, `\"`, `\b\f\n\r\t`, `\u0022`, `\u005C`, `\ud83d\ude00`, `\uD83D\\ude00`,
		"a span long enough for vectors: ", "消息队列让应用向获授权的消息队列投递消息",
	}
	numbers = []string{
		"0", "-0", "-0.0", "-0e-5", "-1e-400", "0e99999999999999999999", "1e21", "1e20", "999999999999999999999", "0.000001", "0.0000001", "0.0000010", "1.0", "0.1e1", "1E+2",
		"9007199254740993", "123456789012345678901", "5e-324", "2e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308",
		"1.7976931348623158e308", "1.7976931348623159e308", "1e999", "-1e999", "100000000000000000000000", "123456789012345", "1234567890123456", "12345678901234567", "0.1234567890123456",
	}
	delays    = []string{"0", "-0", "1", "5.0", "1e1", "43200", "4.32e4", "432000e-1", "1e-400", "43200.0000000000000000001", "0.0e99"}
	badDelays = []string{"43201", "-1", "1.5", "1e999", "null", `"5"`, "true", "[1]", "{}", "01", "-", "1.", "43201x", "43201.x"}
	breakers  = []string{
		"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xE4\xB8", "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\x80", "\xEF\xBB\xBF", "\u00A0", "\u2028", "\x00", "\x1F",
		"\"", "\\", "{", "}", "[", "]", ",", ":", "\\u", "\\ud800", "\\x", "e", ".", "-", "+", "0", "1e999", `{"$句柄":1}`, "null", "tru", "[[[[[[[[[[[[[[[[[[[[[[[[[", "//", "'",
	}
)
