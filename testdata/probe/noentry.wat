;; Nothing the runtime could call.
(module (memory (export "memory") 1))
