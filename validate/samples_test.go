package validate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sizes of the samples, in the order in which benchmarks take them.
var sizes = []struct {
	sample string
	bytes  int
}{{"job", 226}, {"object", 1_955}, {"chinese", 127_001}, {"numbers", 127_941}, {"objects", 127_829}}

// samples are bodies as they come: already canonical, most of them small.
func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	return map[string][]byte{
		"job": []byte(`{"type":"render","version":3,"id":"0b8f5d0e9c7a4a51b6cf2f0c4d5e6f70","page":"/release/index","locale":"zh-CN","priority":5,"refresh":true,"parent":null,"attempt":0,"ratio":0.75,"tags":["web","night1"],"enqueued":1767225600123}`),
		"object": []byte(`{"order":{"number":"A-2031","currency":"CNY","total":1284.5,"paid":true,"lines":` +
			array(12, func(i int) string {
				return fmt.Sprintf(`{"sku":"SKU-%05d","title":"Notebook \"ruled\" %d","quantity":%d,"price":%g,"gift":%t,"note":null,"tags":["paper","a5"]}`,
					i*7919, i, i%4+1, float64(i)*12.25+0.5, i%3 == 0)
			}) + `,"address":{"name":"王小明","city":"上海","street":"中山东一路 12 号","post":"200002"},"comment":"` + strings.Repeat("please ring the bell twice; ", 9) + `many thanks, it is now"}}`),
		"chinese": []byte(`{"text":"` + chinese(r, 42_330) + `"}`),
		"numbers": []byte(array(7_045, func(int) string { return fmt.Sprint(r.Float64() * 1000) })),
		"objects": []byte(array(2_616, func(i int) string {
			return fmt.Sprintf(`{"id":%d,"name":"item-%d","ok":%t,"x":%d.5}`, i, r.IntN(1000), i%2 == 0, r.IntN(90))
		})),
	}
}

func array(n int, element func(i int) string) string {
	elements := make([]string, n)
	for i := range elements {
		elements[i] = element(i)
	}
	return "[" + strings.Join(elements, ",") + "]"
}

func chinese(r *rand.Rand, n int) string {
	runes := []rune("消息队列让应用向获授权的消息队列投递并在队列事件里读取当前批次逐条确认或延后重试，。")
	var b strings.Builder
	for range n {
		b.WriteRune(runes[r.IntN(len(runes))])
	}
	return b.String()
}

// The figures are of bodies of these sizes.
func TestSamples(t *testing.T) {
	t.Parallel()
	texts := samples()
	for _, s := range sizes {
		if d := cmp.Diff(s.bytes, len(texts[s.sample])); d != "" {
			t.Errorf("%s: %s", s.sample, d)
		}
	}
}
