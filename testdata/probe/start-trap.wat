;; The start function traps.
(module
  (memory (export "memory") 1)
  (func $main unreachable)
  (start $main)
  (func (export "fetch"))
  (func (export "queue")))
