;; Two imports that no host offers, beside one that it does.
(module
  (import "消息队列" "不存在" (func (param i32)))
  (import "env" "foo" (func))
  (import "消息队列" "确认队列消息" (func (param i64) (result i32)))
  (memory (export "memory") 1)
  (func (export "fetch"))
  (func (export "queue")))
