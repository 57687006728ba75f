;; 200 MiB of memory from the start.
(module
  (memory (export "memory") 3200)
  (func (export "fetch"))
  (func (export "queue")))
