package validate_test

import (
	"errors"
	"fmt"

	"github.com/wazqueue/wazqueue/validate"
)

func ExampleBody() {
	body, err := validate.Body(nil, []byte(` { "page" : "\/index" , "2" : 1e3 , "page" : "/home" } `))
	fmt.Printf("%s %v\n", body, err)

	_, err = validate.Body(nil, []byte(`{"$句柄":"1"}`))
	fmt.Println(err, errors.Is(err, validate.ErrBodyToken))
	// Output:
	// {"2":1000,"page":"/home"} <nil>
	// 消息体含有不属于 JSON 的值或宿主专用记号 true
}

func ExampleBatch() {
	messages, err := validate.Batch([]byte(`[{"body": {"page": 1}}, {"body": "two", "delaySeconds": 30}]`))
	for _, m := range messages {
		fmt.Printf("%s after %v\n", m.Body, m.Delay)
	}
	fmt.Println(err)

	_, err = validate.Batch([]byte(`[{"body":1,"delaySeconds":1.5}]`))
	fmt.Println(err)
	// Output:
	// {"page":1} after 0s
	// "two" after 30s
	// <nil>
	// 批量消息项的 delaySeconds 须为 0 至 43200 的整数
}

func ExampleCanonical() {
	_, err := validate.Canonical(nil, []byte(`[[[]]]`), 2)
	fmt.Println(err)
	// Output: nested too deep
}
