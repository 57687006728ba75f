;; No memory at all: fetch sends with empty ranges at 0, queue reads the batch into a buffer that cannot exist.
(module
  (import "消息队列" "发送队列消息" (func $send (param i32 i32 i32 i32 i64) (result i32)))
  (import "消息队列" "读取队列批次" (func $read (param i32 i32) (result i32)))
  (func (export "fetch") (drop (call $send (i32.const 0) (i32.const 0) (i32.const 0) (i32.const 0) (i64.const 0))))
  (func (export "queue") (drop (call $read (i32.const 0) (i32.const 1000000)))))
