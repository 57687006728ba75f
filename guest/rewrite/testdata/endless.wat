;; Functions that do not end, each in its own way.
(module
  (memory (export "memory") 16)
  (table 20000 funcref)
  (elem (i32.const 0) $again)
  (elem declare func $again)
  (type $number (func (param i32)))

  (func (export "loop") (loop $l (br $l)))
  (func (export "nested") (loop $o (loop $i (br_if $i (i32.const 0))) (br $o)))
  (func (export "inner") (loop $o (loop $i (br $i))))
  (func (export "table") (local $x i32)
    (loop $l (br_table $l $l $l (i32.and (local.tee $x (i32.add (local.get $x) (i32.const 1))) (i32.const 1)))))
  (func (export "parameters") (i32.const 1) (loop $l (param i32) (i32.add (i32.const 1)) (br $l)))

  ;; Recursion that would outlast anyone without deepening the stack.
  (func $tree (export "tree") (param $n i32)
    (if (local.get $n)
      (then
        (call $tree (i32.sub (local.get $n) (i32.const 1)))
        (call $tree (i32.sub (local.get $n) (i32.const 1))))))
  (func $left (export "mutual") (param $n i32)
    (if (local.get $n)
      (then
        (call $right (i32.sub (local.get $n) (i32.const 1)))
        (call $right (i32.sub (local.get $n) (i32.const 1))))))
  (func $right (param $n i32)
    (if (local.get $n)
      (then
        (call $left (i32.sub (local.get $n) (i32.const 1)))
        (call $left (i32.sub (local.get $n) (i32.const 1))))))
  (func $again (export "indirect") (type $number)
    (if (local.get 0)
      (then
        (call_indirect (type $number) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0))
        (call_indirect (type $number) (i32.sub (local.get 0) (i32.const 1)) (i32.const 0)))))
  (func $leaf (param i32) (result i32) (i32.add (local.get 0) (i32.const 1)))
  (func (export "leaf") (loop $l (drop (call $leaf (i32.const 1))) (br $l)))

  ;; Loops whose iterations take long.
  (func (export "fill") (loop $l (memory.fill (i32.const 0) (i32.const 1) (i32.const 1048576)) (br $l)))
  (func (export "copy") (loop $l (memory.copy (i32.const 0) (i32.const 8) (i32.const 1048568)) (br $l)))
  (func (export "table.fill") (loop $l (table.fill 0 (i32.const 1) (ref.func $again) (i32.const 19999)) (br $l)))
  (func (export "grow") (loop $l (drop (memory.grow (i32.const 0))) (br $l))))
