package validate_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

func samples() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	job := []byte(`{"type":"render","version":3,"id":"0b8f5d0e9c7a4a51b6cf2f0c4d5e6f70","page":"/release/index","locale":"zh-CN","priority":5,"refresh":true,"parent":null,"attempt":0,"ratio":0.75,"tags":["web","nightly"],"enqueuedAt":1767225600123}`)
	var obj bytes.Buffer
	obj.WriteString(`{"order":{"number":"A-2031","currency":"CNY","total":1284.5,"paid":true,"lines":[`)
	for i := range 12 {
		if i > 0 {
			obj.WriteByte(',')
		}
		fmt.Fprintf(&obj, `{"sku":"SKU-%05d","title":"Notebook \"ruled\" %d","quantity":%d,"price":%g,"gift":%t,"note":null,"tags":["paper","a5"]}`, i*7919, i, i%4+1, float64(i)*12.25+0.5, i%3 == 0)
	}
	obj.WriteString(`],"address":{"name":"王小明","city":"上海","street":"中山东一路 12 号","post":"200002"},"comment":"please ring twice; leave the parcel at the desk if nobody answers, and send a text message"}}`)
	var zh strings.Builder
	zh.WriteString(`{"text":"`)
	han := []rune("消息队列让应用向获授权的消息队列投递并在队列事件里读取当前批次逐条确认或延后重试，。")
	for zh.Len() < 127000 {
		zh.WriteRune(han[r.IntN(len(han))])
	}
	zh.WriteString(`"}`)
	var num bytes.Buffer
	num.WriteByte('[')
	for num.Len() < 127970 {
		fmt.Fprintf(&num, "%v,", r.Float64()*1000)
	}
	num.WriteString("0]")
	var objs bytes.Buffer
	objs.WriteByte('[')
	for i := 0; objs.Len() < 127900; i++ {
		fmt.Fprintf(&objs, `{"id":%d,"name":"item-%d","ok":%t,"x":%d.5},`, i, r.IntN(1000), i%2 == 0, r.IntN(90))
	}
	objs.WriteString("null]")
	return map[string][]byte{"job": job, "object": obj.Bytes(), "chinese": []byte(zh.String()), "numbers": num.Bytes(), "objects": objs.Bytes(),
		"prose": []byte(`"` + strings.Repeat("all work and no play makes Jack a dull boy. ", 128000/44-2) + `"`)}
}
