;; A host function imported with another signature than it has: the delay as i32.
(module
  (import "消息队列" "发送队列消息" (func (param i32 i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func (export "fetch")))
