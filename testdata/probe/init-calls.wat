;; _initialize calls a host function while there is no event.
(module
  (import "消息队列" "发送队列消息" (func $send (param i32 i32 i32 i32 i64) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "PAGE_QUEUE1")
  (func (export "_initialize") (drop (call $send (i32.const 0) (i32.const 10) (i32.const 10) (i32.const 1) (i64.const 0))))
  (func (export "fetch"))
  (func (export "queue")))
