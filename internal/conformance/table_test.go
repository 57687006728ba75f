package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/consumer"
)

// The conformance samples of the interface, one test a row.
func TestConformance(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name    string
		onEvent string
		test    func(r *rig)
	}{
		{"A-51 one message", "", func(r *rig) {
			const body = `{"kind":"page","url":"/release/x","version":"v8","refresh":true}`
			r.expect(raw("send PAGE_QUEUE 0", body), "send 0")
			r.sent(adapter.Message{Type: adapter.JSON, Body: []byte(body)})
		}},
		{"A-52 delays", "read 0", func(r *rig) {
			r.expect(raw("send PAGE_QUEUE 30", "1")+raw("send PAGE_QUEUE 43200", "2"), "send 0", "send 0")
			r.sent(adapter.Message{Body: []byte("1"), Delay: adapter.After(30 * time.Second)},
				adapter.Message{Body: []byte("2"), Delay: adapter.After(12 * time.Hour)})
			const no = "send 1 延迟秒数须在 0 至 43200 之间"
			r.expect(raw("send PAGE_QUEUE -1", "1")+raw("send PAGE_QUEUE 43201", "1"), no, no)
			r.count(2)
			events := r.consume(13*time.Hour, consumer.Config{})
			if len(events) != 2 || events[0].At != 30*time.Second || events[1].At != 12*time.Hour {
				r.t.Errorf("delivered %+v", events)
			}
		}},
		{"A-53 what is no message", "", func(r *rig) {
			const token = "send 1 消息体含有不属于 JSON 的值或宿主专用记号"
			r.expect(raw("send PAGE_QUEUE 0", `{"$句柄":"1"}`)+raw("send PAGE_QUEUE 0", `{"\u0024句柄":"1"}`)+
				raw("send PAGE_QUEUE 0", `1e999`)+raw("send PAGE_QUEUE 0", `{`), token, token, token, "send 1 消息体不是有效的 JSON 文字")
			r.count(0)
		}},
		{"A-54 128000 bytes", "", func(r *rig) {
			r.expect("fill PAGE_QUEUE 0 128000", "fill 0")
			r.count(1)
			r.expect("fill PAGE_QUEUE 0 128001", "fill 1 消息体超过 128000 字节")
			r.count(1)
		}},
		{"A-55 1 to 100 items", "", func(r *rig) {
			r.expect("fillbatch PAGE_QUEUE 1 10\nfillbatch PAGE_QUEUE 100 10", "fillbatch 0", "fillbatch 0")
			r.count(101)
			r.expect("fillbatch PAGE_QUEUE 0 10\nfillbatch PAGE_QUEUE 101 10", "fillbatch 1 批量消息不得为空", "fillbatch 1 批量消息不得超过 100 条")
			r.count(101)
		}},
		{"A-56 items of a wrong shape", "", func(r *rig) {
			const ok = `[{"body":1},`
			r.expect(raw("batch PAGE_QUEUE", ok+`{"body":1,"contentType":"json"}]`)+raw("batch PAGE_QUEUE", ok+`{"delaySeconds":1}]`)+
				raw("batch PAGE_QUEUE", ok+`{"body":1,"delaySeconds":1.5}]`),
				"batch 1 批量消息项只允许 body 与 delaySeconds 两个字段", "batch 1 批量消息项缺少 body",
				"batch 1 批量消息项的 delaySeconds 须为 0 至 43200 的整数")
			r.count(0)
		}},
		{"A-57 bodies that look like structure", "read", func(r *rig) {
			bodies := []string{`"],["`, `{"body":1}`, `"{\"body\":1}"`, `"\"\\"`, `["],[",{"body":{"body":"\\\""}}]`}
			r.send(append([]string(nil), bodies...)...)
			if d := cmp.Diff(bodies, r.store.bodies()); d != "" {
				r.t.Error(d)
			}
			out := strings.ReplaceAll(r.consume(time.Second, consumer.Config{})[0].Out, `\\`, `\`)
			for _, b := range bodies {
				if !strings.Contains(out, `,"body":`+b+`}`) {
					r.t.Errorf("%s did not come back: %s", b, out)
				}
			}
		}},
		{"A-58 the platform refuses", "", func(r *rig) {
			r.store.refuse = adapter.Refused{Reason: "Queue is full"}
			r.expect(raw("send PAGE_QUEUE 0", "1")+raw("batch PAGE_QUEUE", `[{"body":1}]`),
				"send 1 队列发送失败：Queue is full", "batch 1 队列批量发送失败：Queue is full")
		}},
		{"A-59 reading a batch of three", "read", func(r *rig) {
			sentAt := time.Now().UnixMilli()
			r.send(`{"n":1}`, `"two"`, `[3]`)
			peeked, err := r.store.Peek(r.t.Context(), queue, 10)
			if err != nil || len(peeked) != 3 {
				r.t.Fatal(peeked, err)
			}
			time.Sleep(time.Minute)
			events := r.consume(time.Second, consumer.Config{})
			want := `{"queue":"pages","messages":[`
			for i, body := range []string{`{"n":1}`, `"two"`, `[3]`} {
				if i > 0 {
					want += ","
				}
				want += fmt.Sprintf(`{"id":"%s","attempts":1,"timestamp":%d,"body":%s}`, peeked[i].ID, sentAt, body)
			}
			want = fmt.Sprintf("read %d =%s\n", len(want)+2, want+"]}")
			if d := cmp.Diff(want, events[0].Out); d != "" {
				r.t.Error(d)
			}
		}},
		{"A-60 ack 0, retry 1 by 30 s, leave 2", "", func(r *rig) {
			r.send(quote("ack 0\nretry 1 30"), quote("kind"), "3")
			events := r.consume(time.Minute, consumer.Config{})
			r.settled(adapter.Settlement{Do: adapter.Ack}, adapter.Settlement{Do: adapter.Retry, Delay: 30 * time.Second},
				adapter.Settlement{Do: adapter.Ack}, adapter.Settlement{Do: adapter.Ack})
			if len(events) != 2 || events[1].At != 30*time.Second || events[1].IDs[0] != events[0].IDs[1] || events[1].Attempts[0] != 2 {
				r.t.Errorf("delivered %+v", events)
			}
		}},
		{"A-61 out of range", "", func(r *rig) {
			r.send(quote("ack 2\nack -1\nretry 2 0\nretry -1 0\nretry 0 -1\nretry 0 43201\nack 9223372036854775807\nack -9223372036854775808\nack 4294967296"), "2")
			const index, delay = "1 队列消息序号越界\n", "1 延迟秒数须在 0 至 43200 之间\n"
			want := "ack " + index + "ack " + index + "retry " + index + "retry " + index + "retry " + delay + "retry " + delay +
				"ack " + index + "ack " + index + "ack " + index
			events := r.consume(time.Second, consumer.Config{})
			if d := cmp.Diff(want, events[0].Out); d != "" {
				r.t.Error(d)
			}
			r.settled(adapter.Settlement{Do: adapter.Ack}, adapter.Settlement{Do: adapter.Ack})
		}},
		{"A-62 an uncaught exception", "fail", func(r *rig) {
			r.send("1", "2")
			events := r.consume(time.Second, consumer.Config{MaxRetries: new(1)})
			want := []event{{Attempts: []int{1, 1}, Failed: true, Out: "fail\n"}, {Attempts: []int{2, 2}, Failed: true, Out: "fail\n"}}
			if len(events) != 2 {
				r.t.Fatalf("delivered %+v", events)
			}
			if d := cmp.Diff(events[0].IDs, events[1].IDs); d != "" {
				r.t.Errorf("not the same batch: %s", d)
			}
			for i := range events {
				events[i].IDs, events[i].At = nil, 0
			}
			if d := cmp.Diff(want, events); d != "" {
				r.t.Error(d)
			}
		}},
		{"A-63 consumer functions in an HTTP event", "", func(r *rig) {
			const no = "当前事件不是队列事件"
			r.expect("read\nack 0\nretry 0 0", "read -1 !"+no, "ack 1 "+no, "retry 1 "+no)
		}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, row.onEvent, row.test)
		})
	}
}

// expect runs a script in a fetch event and compares its result lines.
func (r *rig) expect(script string, want ...string) {
	r.t.Helper()
	if d := cmp.Diff(want, r.fetch(script)); d != "" {
		r.t.Error(d)
	}
}

// count compares the number of messages that reached the store.
func (r *rig) count(want int) {
	r.t.Helper()
	if got := len(r.store.bodies()); got != want {
		r.t.Errorf("%d messages reached the store, want %d", got, want)
	}
}

// sent compares the messages that reached the store, each in a send of its own.
func (r *rig) sent(want ...adapter.Message) {
	r.t.Helper()
	var got []adapter.Message
	for _, s := range r.store.sends {
		got = append(got, s...)
	}
	if d := cmp.Diff(want, got); d != "" {
		r.t.Error(d)
	}
}

// settled compares what was settled, in order.
func (r *rig) settled(want ...adapter.Settlement) {
	r.t.Helper()
	if d := cmp.Diff(want, r.store.settled); d != "" {
		r.t.Error(d)
	}
}
