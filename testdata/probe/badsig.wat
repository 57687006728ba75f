;; Entries no event can be given to: queue has a parameter, fetch an i64 result.
(module
  (memory (export "memory") 1)
  (func (export "queue") (param i32))
  (func (export "fetch") (result i64) (i64.const 0)))
