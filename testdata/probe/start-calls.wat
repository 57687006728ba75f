;; The start function calls a host function while there is no event.
(module
  (import "网页入站" "读取入站事件种类" (func $kind (param i32 i32) (result i32)))
  (memory (export "memory") 1)
  (func $main (drop (call $kind (i32.const 0) (i32.const 0))))
  (start $main)
  (func (export "fetch"))
  (func (export "queue")))
