;; One send of a body of 226 bytes, for the benchmark of the call itself.
(module
  (import "消息队列" "发送队列消息"
    (func $send (param i32 i32 i32 i32 i64) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "PAGE_QUEUE")
  (data (i32.const 16) "{\"kind\":\"page\",\"url\":\"/release/2026/11/notes\",\"version\":\"v8\",\"refresh\":true,\"locale\":\"zh-CN\",\"depth\":2,\"assets\":[\"main.css\",\"app.js\"],\"trace\":\"4bf92f3577b34da6a3ce929d0e0e4736\",\"requested\":1795990000123,\"note\":\"xxxxxxxxxxxxx\"}")
  (func (export "send") (result i32)
    (call $send (i32.const 0) (i32.const 10) (i32.const 16) (i32.const 226) (i64.const 0))))
