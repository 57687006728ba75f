package javascript_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wazqueue/wazqueue/adapter"
	"github.com/wazqueue/wazqueue/guest"
	"github.com/wazqueue/wazqueue/guest/guesttest"
)

// deliver runs the statements of a queue handler on three messages.
func deliver(t *testing.T, statements string) (*guesttest.Guest, *guesttest.Delivered) {
	t.Helper()
	g := script(t, "export function queue(batch, env, context) { "+statements+" }")
	return g, g.DeliverRaw("page-render",
		adapter.Delivery{ID: "aa", Attempts: 1, Enqueued: time.UnixMilli(1_700_000_000_123), Body: []byte(`{"a":[1,"],[{\"body\":1}\\"],"$":null}`)},
		adapter.Delivery{ID: "bb", Attempts: 3_000_000_000, Enqueued: time.UnixMilli(-5), Body: []byte("null")},
		adapter.Delivery{ID: "cc", Attempts: 2, Type: adapter.Text, Body: []byte("页\"\\\x00")},
	)
}

// a script reads what was sent, in order, and marks nothing by that.
func TestBatch(t *testing.T) {
	t.Parallel()
	g, d := deliver(t, `
		console.log(batch.queue, batch.messages.length);
		for (const m of batch.messages) console.log(m.id, m.attempts, m.timestamp.toISOString(), m.timestamp instanceof Date, JSON.stringify(m.body));
		const [first] = batch.messages;
		first.body.a.push(2);
		console.log(first === batch.messages[0], first.body.a.length, first.timestamp === first.timestamp);`)
	if d.Err != nil {
		t.Fatal(d.Err)
	}
	const want = `page-render 3
aa 1 2023-11-14T22:13:20.123Z true {"a":[1,"],[{\"body\":1}\\"],"$":null}
bb 3000000000 1969-12-31T23:59:59.995Z true null
cc 2 2023-11-14T22:13:20.000Z true "页\"\\\u0000"
true 3 true
`
	if diff := cmp.Diff(want, g.Stdout()); diff != "" {
		t.Error(diff)
	}
	if len(d.Acked())+len(d.Retried()) > 0 {
		t.Errorf("acked %v, retried %v", d.Acked(), d.Retried())
	}
}

func TestMarks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, statements string
		acked, retried   []int
		delays           []time.Duration // of the retried
	}{
		{"A-60", `batch.messages[0].ack(); batch.messages[1].retry({delaySeconds: 30})`, []int{0}, []int{1}, []time.Duration{30 * time.Second}},
		{"no delay", `batch.messages[1].retry(); batch.messages[2].retry({})`, nil, []int{1, 2}, []time.Duration{0, 0}},
		{"A-44 the first mark stands", `batch.messages[0].ack(); batch.messages[0].retry(); batch.messages[1].retry(); batch.messages[1].ack()`, []int{0}, []int{1}, []time.Duration{0}},
		{"all acked", `batch.messages[1].retry({delaySeconds: 5}); batch.ackAll()`, []int{0, 2}, []int{1}, []time.Duration{5 * time.Second}},
		{"all retried", `batch.messages[1].ack(); batch.retryAll({delaySeconds: 7})`, []int{1}, []int{0, 2}, []time.Duration{7 * time.Second, 7 * time.Second}},
		{"detached", `const {messages} = batch; const [m] = messages.filter((m) => m.id === "cc"); m.ack()`, []int{2}, nil, nil},
		{"in vain", `try { batch.messages[0].retry({delaySeconds: 43201}) } catch (e) { console.log(e.message) }`, nil, nil, nil},
		{"later", `return (async () => { await null; batch.messages[0].ack(); await Promise.resolve(1); batch.messages[2].ack() })()`, []int{0, 2}, nil, nil},
		{"by a promise of another make", `return {then(yes) { batch.messages[1].ack(); yes({then(yes) { batch.messages[0].ack(); yes() }}) }}`, []int{0, 1}, nil, nil},
		{"by what is waited for", `context.waitUntil((async () => { for (let i = 0; i < 9; i++) await i; batch.messages[1].ack() })())`, []int{1}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, d := deliver(t, tt.statements)
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			if diff := cmp.Diff(tt.acked, d.Acked()); diff != "" {
				t.Error("acked", diff)
			}
			if diff := cmp.Diff(tt.retried, d.Retried()); diff != "" {
				t.Error("retried", diff)
			}
			for i, at := range d.Retried() {
				if d.Delay(at) != tt.delays[i] {
					t.Errorf("%d after %v, want %v", at, d.Delay(at), tt.delays[i])
				}
			}
		})
	}
}

// what a script does wrong is an Error that it can catch.
func TestMarkExceptions(t *testing.T) {
	t.Parallel()
	const delay = "延迟秒数须在 0 至 43200 之间"
	for statement, want := range map[string]string{
		`batch.messages[0].retry({delaySeconds: -1})`:    delay,
		`batch.messages[0].retry({delaySeconds: 43201})`: delay,
		`batch.messages[0].retry({delaySeconds: 0.5})`:   delay,
		`batch.messages[0].retry({delaySeconds: "1"})`:   delay,
		`batch.retryAll({delaySeconds: 1e300})`:          delay,
		`确认队列消息(3)`:                                      "队列消息序号越界",
		`确认队列消息(-1)`:                                     "队列消息序号越界",
		`确认队列消息(0.5)`:                                    "队列消息序号越界",
		`确认队列消息()`:                                       "队列消息序号越界",
		`重试队列消息(3, 99999)`:                               "队列消息序号越界",
		`重试队列消息(0, 99999)`:                               delay,
		`读取入站请求()`:                                       "当前事件不是网页事件",
		`读取入站正文()`:                                       "当前事件不是网页事件",
	} {
		t.Run(statement, func(t *testing.T) {
			t.Parallel()
			g, d := deliver(t, "try { "+statement+" } catch (e) { console.log(e instanceof Error, e.name, e.message) }")
			if d.Err != nil {
				t.Fatal(d.Err)
			}
			if diff := cmp.Diff("true Error "+want+"\n", g.Stdout()); diff != "" {
				t.Error(diff)
			}
			if len(d.Acked())+len(d.Retried()) > 0 {
				t.Errorf("acked %v, retried %v", d.Acked(), d.Retried())
			}
		})
	}
}

// a body that is not JSON is an exception when the batch is looked at.
func TestUnreadableBatch(t *testing.T) {
	t.Parallel()
	const text = "队列消息正文不是 JSON 值：序号 1"
	ds := func() []adapter.Delivery {
		return []adapter.Delivery{{Body: []byte("1")}, {Type: adapter.Bytes, Body: []byte{1}}}
	}
	g := script(t, `export function queue(batch) { try { batch.messages } catch (e) { console.log(e.message); console.log(读取入站事件种类()); 确认队列消息(0) } }`)
	if d := g.DeliverRaw("q", ds()...); d.Err != nil || g.Stdout() != text+"\nqueue\n" || len(d.Acked()) != 1 {
		t.Errorf("%v, %q, %v", d.Err, g.Stdout(), d.Acked())
	}
	g = script(t, `export function queue(batch) { for (const m of batch.messages) m.ack() }`)
	if d := g.DeliverRaw("q", ds()...); d.Err == nil || !strings.Contains(d.Err.Error(), text) {
		t.Errorf("ended with %v", d.Err)
	}
	// nested too deep it is an abort.
	g = script(t, `export function queue(batch) { try { batch.messages } catch { } }`)
	d := g.DeliverRaw("q", adapter.Delivery{Body: []byte(strings.Repeat("[", 33) + strings.Repeat("]", 33))})
	if f := failure(t, d.Err); f.How != guest.Aborted || !strings.Contains(f.Error(), "宿主结果嵌套过深") {
		t.Errorf("ended with %v", f)
	}
}

// Batches are larger than the objects that wait for them, and bodies than the buffer.
func TestLargeBatch(t *testing.T) {
	t.Parallel()
	g := script(t, `export function queue(batch) {
		let size = 0;
		for (const m of batch.messages) { size += m.body.length; if (m.attempts % 2) m.ack(); else m.retry({delaySeconds: m.attempts}) }
		console.log(batch.messages.length, size, batch.messages.at(-1).id);
	}`)
	for range 2 {
		var ds []adapter.Delivery
		for i := range 250 {
			ds = append(ds, adapter.Delivery{ID: fmt.Sprint("m", i), Attempts: i + 1, Body: []byte(`"` + strings.Repeat("\u9875", 1000*(i%3)) + `"`)})
		}
		ds[7].Body = []byte(`"` + strings.Repeat("a", 127_998) + `"`)
		d := g.DeliverRaw("q", ds...)
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		if len(d.Acked()) != 125 || len(d.Retried()) != 125 || d.Delay(249) != 250*time.Second {
			t.Errorf("acked %v, retried %v", d.Acked(), d.Retried())
		}
	}
	if want := strings.Repeat("250 375998 m249\n", 2); g.Stdout() != want {
		t.Errorf("stdout %q, want %q", g.Stdout(), want)
	}
}
