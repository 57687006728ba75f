package validate_test

import (
	"fmt"
	"strings"

	"github.com/wazqueue/wazqueue/validate"
)

// A vector is a text and what becomes of it in Canonical at 24 levels.
type vector struct {
	text, want string
	err        error
}

// same is a vector of a text that is canonical.
func same(text string) vector { return vector{text: text, want: text} }

func to(text, want string) vector { return vector{text: text, want: want} }

func bad(text string) vector { return vector{text: text, err: validate.ErrSyntax} }

func token(text string) vector { return vector{text: text, err: validate.ErrToken} }

func deep(text string) vector { return vector{text: text, err: validate.ErrDepth} }

func each(of func(string) vector, texts ...string) (vs []vector) {
	for _, text := range texts {
		vs = append(vs, of(text))
	}
	return vs
}

// groups are the cases of the reference on canonical JSON, under its numbers:
// each went wrong in some library.
var groups = []struct {
	name    string
	vectors []vector
}{
	{"0 every kind of value A-10", append(each(same, `{}`, `[]`, `""`, `0`, `true`, `false`, `null`, `[{"a":[null,true,false,-1.5]}]`),
		to(" [ 1 , 2 ] ", `[1,2]`),
		to("\t{ \"a\" :\r\n1 , \"b\" : [ ] , \"c\" : { } }\n", `{"a":1,"b":[],"c":{}}`),
	)},
	{"1 integer names", []vector{
		to(`{"a":0,"4294967294":1,"4294967295":2,"7":3}`, `{"7":3,"4294967294":1,"a":0,"4294967295":2}`),
		to(`{"01":1,"00":2,"-0":3,"-1":4,"1.0":5,"1e0":6," 1":7,"1 ":8,"0":9}`, `{"0":9,"01":1,"00":2,"-0":3,"-1":4,"1.0":5,"1e0":6," 1":7,"1 ":8}`),
		to(`{"\u0031":1,"a":1,"0":2}`, `{"0":2,"1":1,"a":1}`),
		to(`{"b":0,"10":1,"9":2,"1":3}`, `{"1":3,"9":2,"10":1,"b":0}`),
		same(`{"0":0,"1":1,"4294967294":2,"a":3,"99999999999":4}`),
		to(`[{"b":{"2":0,"1":{"x":0,"0":1}},"0":[]},{"1":0,"0":1}]`, `[{"0":[],"b":{"1":{"0":1,"x":0},"2":0}},{"0":1,"1":0}]`),
		to(` { "b" : [ 1e2 ] , "1" : "\/" } `, `{"1":"/","b":[100]}`),
	}},
	{"2 equal names", []vector{
		to(`{"a":1,"1":1,"a":2,"0":{"z":1,"z":2}}`, `{"0":{"z":2},"1":1,"a":2}`),
		to(`{"k":1,"\u006b":2}`, `{"k":2}`),
		to(`{"\u006b":1,"k":2,"x":3,"\u006B":4}`, `{"k":4,"x":3}`),
		to(`{"\ud800":1,"\uD800":2}`, `{"\ud800":2}`),
		to(`{"__proto__":1,"__proto__":2}`, `{"__proto__":2}`),
		to(`{"__proto__":{"__proto__":1,"__proto__":[]},"x":0}`, `{"__proto__":{"__proto__":[]},"x":0}`),
		same("{\"é\":1,\"e\u0301\":2}"),
		to(`{"a":{"b":1,"b":2},"a":{"c":1,"c":3}}`, `{"a":{"c":3}}`),
		to(`{"a":1,"b":2,"a":3,"c":4,"a":5}`, `{"a":5,"b":2,"c":4}`),
		to(`{"1":1,"1":2}`, `{"1":2}`),
		to(`{"1":1,"\u0031":{"1":1,"1":2}}`, `{"1":{"1":2}}`),
		to(`{"":1,"":2}`, `{"":2}`),
		many(33), many(64), many(65), many(300), many(10_001),
		siblings(40, 200),
	}},
	{"3 ordinary names", each(same, `{"toJSON":1}`, `{"constructor":{},"length":0,"":1,"\u0000":2,"hasOwnProperty":3}`, `{"__proto__":null}`)},
	{"4 tokens A-17 A-18 A-53", append(append(
		each(token, `{"$句柄":"1"}`, `{"$未定义":1}`, `{"$大整数":1}`, `{"$数字":1}`,
			`{"\u0024句柄":"1"}`, `{"\u0024\u53e5\u67c4":1}`, `{"$\u53E5\u67C4":1}`, `{"\u0024\u672A\u5b9a\u4e49":1}`, `{"$\u5927\u6574\u6570":1}`, `{"\u0024\u6570\u5B57":1}`,
			`{"a":1,"$数字":1}`, `[[{"a":{"$数字":1}}]]`, `{"a":{"$句柄":1},"a":1}`),
		each(same, `{"$":1}`, `{"$句":1}`, `{"$句柄柄":1}`, `{"句柄":1}`, `{" $句柄":1}`, `"$句柄"`, `["$未定义",{"a":"$大整数"}]`)...),
		to(`"\u0024句柄"`, `"$句柄"`),
	)},
	{"5 strings A-11", append([]vector{
		to(`"\/"`, `"/"`), to(`"\u001F"`, `"\u001f"`), same(`"\u001f\u0000\u000b"`),
		to(`"\u0008\u0009\u000A\u000c\u000D"`, `"\b\t\n\f\r"`), same(`"\b\t\n\f\r"`),
		to(`"\u0022"`, `"\""`), to(`"\u005C"`, `"\\"`), same(`"\"\\"`), same(`"\\u0041"`),
		to(`"\u007F\u0080\u2028\u2029\uFEFF\uFFFF"`, "\"\x7F\u0080\u2028\u2029\uFEFF\uFFFF\""),
		same("\"\x7F\u0080\u2028\u2029\uFEFF\uFFFF\""), to(`"\u0041\u00e9\u4E2d"`, `"Aé中"`), same(`"<&>'"`),
	}, each(bad, "\"\t\"", "\"\n\"", "\"\x00\"", "\"\x1F\"", `"\a"`, `"\'"`, `"\u12"`, `"\u12G4"`, `"\uD8`, `"\U0041"`, `"\`, `"`, `"a`, `"\u`)...)},
	{"6 surrogates", append([]vector{
		to(`"\ud83d\ude00"`, `"😀"`), to(`"\uD83D\uDE00"`, `"😀"`), same(`"\ud83d"`), to(`"\uDE00"`, `"\ude00"`),
		to(`"\ud83d\ud83d\ude00"`, `"\ud83d😀"`), same(`"\ude00\ud83d"`), to(`"\uD83D\\ude00"`, `"\ud83d\\ude00"`),
		to(`"\ud800\u0041"`, `"\ud800A"`), same(`"\ud800\n"`), to(`"\ud800\udc00\udbff\udfff"`, "\"\U00010000\U0010FFFF\""),
		same(`{"\ud800":1,"\udc00":2}`),
	}, each(bad, `"\udbff\u"`, `"\udbff\u1"`, `"\udbff\uZZZZ"`, `"\udbff\`)...)},
	{"7 bad UTF-8", invalid()},
	{"8 numbers A-12", append([]vector{
		to(`-0`, `0`), to(`-0.0`, `0`), to(`-0e-5`, `0`), to(`-1e-400`, `0`), to(`0.0`, `0`), to(`0e0`, `0`), to(`[-0,0]`, `[0,0]`),
		to(`0e99999999999999999999`, `0`), to(`1e21`, `1e+21`), to(`1e20`, `100000000000000000000`), to(`999999999999999999999`, `1e+21`),
		same(`0.000001`), to(`0.0000001`, `1e-7`), to(`0.0000010`, `0.000001`), same(`1e-7`), to(`1E-07`, `1e-7`), to(`12e-9`, `1.2e-8`), same(`1.5e-10`), to(`0.00000012`, `1.2e-7`),
		to(`1.0`, `1`), to(`0.1e1`, `1`), to(`1E+2`, `100`), to(`1.50`, `1.5`), to(`-1.10`, `-1.1`), same(`-0.5`), same(`0.5`),
		to(`9007199254740993`, `9007199254740992`), same(`9007199254740991`), to(`123456789012345678901`, `123456789012345680000`),
		same(`5e-324`), to(`2e-324`, `0`), to(`2.4703282292062327e-324`, `0`), to(`2.4703282292062328e-324`, `5e-324`),
		to(`2.2250738585072011e-308`, `2.225073858507201e-308`), to(`1.7976931348623158e308`, `1.7976931348623157e+308`), same(`-1.7976931348623157e+308`),
		to(`9007199254740993.0000000001`, `9007199254740994`), to(`0.500000000000000166533453693773481063544750213623046875`, `0.5000000000000002`),
		to(`1.00000000000000011102230246251565404236316680908203125`, `1`), to(`1.00000000000000011102230246251565404236316680908203126`, `1.0000000000000002`),
		to(strings.Repeat("1", 1000)+`e-1000`, `0.1111111111111111`), to("0."+strings.Repeat("0", 1000)+"1e1001", `1`),
		same(`123456789012345`), same(`1234567890123456`), to(`12345678901234567`, `12345678901234568`), same(`0.123456789012345`), same(`0.1234567890123456`), to(`0.12345678901234567`, `0.12345678901234566`),
		same(`1.23456789012345`), same(`-123456.789012345`),
	}, each(token, `1e999`, `-1e999`, `1.7976931348623159e308`, `[1e400]`, `{"a":1e400,"a":1}`, strings.Repeat("9", 400), `1e99999999999999999999`)...)},
	{"9 syntax A-53", each(bad, ``, ` `, `{`, `}`, `[`, `]`, `01`, `-`, `-01`, `1.`, `.5`, `1.e5`, `1e`, `1e+`, `1E-`, `+1`, `0x1`, `NaN`, `Infinity`, `-Infinity`, `[1,]`, `[,1]`, `[,]`, `[1 2]`, `[1`, `[1,`,
		`{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1`, `{"a" 1}`, `{a:1}`, `{1:1}`, `{'a':1}`, `{"a":1 "b":2}`, `{"a":1]`, `[1}`, "\uFEFF{}", "{}\x00", "{}\xFF", "\u00A0{}", "{}\u2028", "\v1", "\f1",
		`truex`, `tru`, `True`, `nul`, `nulll`, `fals`, `falsey`, `1 2`, `{}{}`, `"a""b"`, `1,`, `undefined`, `"\`, `/**/1`, `1//`, "\x00")},
	{"10 depth A-15", []vector{
		same(nested(24, "")), same(nested(24, "1")), deep(nested(25, "")), deep(nested(24, "{}")), deep(nested(24, "[]")),
		same(strings.Repeat(`{"a":`, 24) + "1" + strings.Repeat("}", 24)), deep(strings.Repeat(`{"a":`, 25)),
		same("[" + nested(23, "") + "," + nested(23, "0") + "]"), deep(`{"a":` + nested(24, "") + `,"a":1}`),
	}},
	{"the first violation", []vector{
		deep(strings.Repeat("[", 25) + "\xFF"), bad("[\"\xFF\"" + strings.Repeat("[", 25)), bad("\xFF" + strings.Repeat("[", 30)),
		token(`{"$句柄"x`), bad("{\"$句柄\xFF\"x"), bad(`{"$句柄`), token(`[1e999x`), token(`[1e999,"` + "\xFF"), bad(`["\q",1e999]`), token(`[1e999,"\q"]`),
		token(strings.Repeat("9", 400) + `x`), bad(strings.Repeat("9", 400) + `.x`), bad(`[1x,{"$句柄":1}]`), bad(`{"a" {"$句柄":1}`),
	}},
}

func nested(n int, inner string) string {
	return strings.Repeat("[", n) + inner + strings.Repeat("]", n)
}

// many is an object of n names, each twice, of which every fifth is an index.
func many(n int) vector {
	name := func(i int) string {
		switch i % 5 {
		case 0:
			return fmt.Sprintf(`"%d"`, i)
		case 1:
			return fmt.Sprintf(`"a name of many bytes %d"`, i)
		}
		return fmt.Sprintf(`"n%d"`, i)
	}
	var text, indexes, rest []string
	for i := n - 1; i >= 0; i-- {
		text = append(text, name(i)+":0")
		if i%5 != 0 {
			rest = append(rest, fmt.Sprint(name(i), ":", i))
		}
	}
	for i := range n {
		text = append(text, fmt.Sprint(name(i), ":", i))
		if i%5 == 0 {
			indexes = append(indexes, fmt.Sprint(name(i), ":", i))
		}
	}
	return to("{"+strings.Join(text, ",")+"}", "{"+strings.Join(append(indexes, rest...), ",")+"}")
}

// siblings are n objects of the same names, the last of which is there twice.
func siblings(names, n int) vector {
	var members []string
	for i := range names {
		members = append(members, fmt.Sprintf(`"name %d":%d`, i, i))
	}
	plain := strings.Join(members, ",")
	twice := fmt.Sprintf(`{%s,"name %d":%d}`, plain, names-1, names-1)
	list := func(object string) string { return "[" + strings.Repeat(object+",", n-1) + object + "]" }
	return to(list(twice), list("{"+plain+"}"))
}

// invalid has each kind of bad UTF-8 in a value and in a name, short and long,
// at every distance from the blocks of eight, and outside strings.
func invalid() (vs []vector) {
	for _, b := range []string{"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xE4\xB8", "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\x80"} {
		vs = append(vs, bad(b), bad("1"+b), bad("["+b+"]"), bad(`{"a":1,`+b))
		for before := range 70 {
			s := `"` + strings.Repeat("é", before/8) + strings.Repeat("a", before) + b + `"`
			vs = append(vs, bad(s), bad("{"+s+":1}"))
		}
	}
	return vs
}
