;; Computations whose results are known. Each takes the number of rounds, so that
;; the benchmarks use them too.
(module
  (memory (export "memory") 5)
  (table 4 funcref)
  (elem (i32.const 0) $add $sub $mul $fibonacci2)
  (data (i32.const 0) "123456789")
  (global $seed (mut i32) (i32.const 1))
  (type $binary (func (param i32 i32) (result i32)))

  ;; The CRC-32 of the first $n bytes of memory; the table is made at 65536.
  (func $crc (param $n i32) (result i32) (local $p i32) (local $c i32)
    (local.set $c (i32.const -1))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $p) (local.get $n)))
        (local.set $c (i32.xor
          (i32.shr_u (local.get $c) (i32.const 8))
          (i32.load offset=65536 (i32.shl
            (i32.and (i32.const 255) (i32.xor (local.get $c) (i32.load8_u (local.get $p))))
            (i32.const 2)))))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $next)))
    (i32.xor (local.get $c) (i32.const -1)))

  (func $crc_table (local $i i32) (local $c i32) (local $k i32)
    (loop $entry
      (local.set $c (local.get $i))
      (local.set $k (i32.const 8))
      (loop $bit
        (local.set $c (i32.xor
          (i32.shr_u (local.get $c) (i32.const 1))
          (i32.and (i32.const 0xedb88320) (i32.sub (i32.const 0) (i32.and (local.get $c) (i32.const 1))))))
        (br_if $bit (local.tee $k (i32.sub (local.get $k) (i32.const 1)))))
      (i32.store offset=65536 (i32.shl (local.get $i) (i32.const 2)) (local.get $c))
      (br_if $entry (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 256)))))
  (start $crc_table)

  (func (export "check_value") (param $rounds i32) (result i32) (call $crc (i32.const 9)))

  (func (export "crc") (param $rounds i32) (result i32) (local $c i32)
    (loop $again
      (local.set $c (call $crc (i32.const 65536)))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (local.get $c))

  ;; The number of primes below 65536, marked from 131072 on.
  (func $sieve (result i32) (local $i i32) (local $j i32) (local $count i32)
    (memory.fill (i32.const 131072) (i32.const 0) (i32.const 65536))
    (local.set $i (i32.const 2))
    (loop $next
      (if (i32.eqz (i32.load8_u offset=131072 (local.get $i)))
        (then
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $j (i32.shl (local.get $i) (i32.const 1)))
          (block $marked
            (loop $mark
              (br_if $marked (i32.ge_u (local.get $j) (i32.const 65536)))
              (i32.store8 offset=131072 (local.get $j) (i32.const 1))
              (local.set $j (i32.add (local.get $j) (local.get $i)))
              (br $mark)))))
      (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 65536))))
    (local.get $count))

  (func (export "sieve") (param $rounds i32) (result i32) (local $c i32)
    (loop $again
      (local.set $c (call $sieve))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (local.get $c))

  ;; Nothing but calls.
  (func $fibonacci (param $n i32) (result i32)
    (if (i32.lt_u (local.get $n) (i32.const 2)) (then (return (local.get $n))))
    (i32.add
      (call $fibonacci (i32.sub (local.get $n) (i32.const 1)))
      (call $fibonacci (i32.sub (local.get $n) (i32.const 2)))))

  (func (export "recursion") (param $rounds i32) (result i32) (local $c i32)
    (loop $again
      (local.set $c (call $fibonacci (i32.const 18)))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (local.get $c))

  (func $even (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (call $odd (i32.sub (local.get $n) (i32.const 1))))
      (else (i32.const 1))))
  (func $odd (param $n i32) (result i32)
    (if (result i32) (local.get $n)
      (then (call $even (i32.sub (local.get $n) (i32.const 1))))
      (else (i32.const 0))))
  (func (export "mutual") (param $rounds i32) (result i32) (call $even (i32.const 1001)))

  ;; 32 by 32 matrices of f64, at 196608; the trace of the product.
  (func $multiply (result i32)
    (local $i i32) (local $j i32) (local $k i32) (local $a i32) (local $b i32) (local $s f64) (local $trace f64)
    (loop $each
      (f64.store offset=196608 (i32.shl (local.get $i) (i32.const 3)) (f64.convert_i32_u (i32.and (local.get $i) (i32.const 7))))
      (br_if $each (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 1024))))
    (local.set $i (i32.const 0))
    (loop $row
      (local.set $j (i32.const 0))
      (loop $column
        (local.set $k (i32.const 0))
        (local.set $s (f64.const 0))
        (local.set $a (i32.shl (local.get $i) (i32.const 8)))
        (local.set $b (i32.shl (local.get $j) (i32.const 3)))
        (loop $inner
          (local.set $s (f64.add (local.get $s)
            (f64.mul (f64.load offset=196608 (local.get $a)) (f64.load offset=196608 (local.get $b)))))
          (local.set $a (i32.add (local.get $a) (i32.const 8)))
          (local.set $b (i32.add (local.get $b) (i32.const 256)))
          (br_if $inner (i32.lt_u (local.tee $k (i32.add (local.get $k) (i32.const 1))) (i32.const 32))))
        (if (i32.eq (local.get $i) (local.get $j)) (then (local.set $trace (f64.add (local.get $trace) (local.get $s)))))
        (br_if $column (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const 1))) (i32.const 32))))
      (br_if $row (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 32))))
    (i32.trunc_f64_u (local.get $trace)))

  (func (export "matrix") (param $rounds i32) (result i32) (local $c i32)
    (loop $again
      (local.set $c (call $multiply))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (local.get $c))

  ;; Small functions, called through a table and directly.
  (func $add (type $binary) (i32.add (local.get 0) (local.get 1)))
  (func $sub (type $binary) (i32.sub (local.get 0) (local.get 1)))
  (func $mul (type $binary) (i32.mul (local.get 0) (local.get 1)))
  (func $fibonacci2 (type $binary) (call $fibonacci (i32.and (local.get 1) (i32.const 7))))
  (func (export "indirect") (param $rounds i32) (result i32) (local $i i32) (local $x i32)
    (local.set $x (i32.const 7))
    (loop $again
      (local.set $i (i32.const 1000))
      (loop $next
        (local.set $x (call_indirect (type $binary) (local.get $x) (local.get $i) (i32.and (local.get $i) (i32.const 3))))
        (local.set $x (call $add (local.get $x) (i32.const 1)))
        (br_if $next (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (local.get $x))

  ;; An interpreter: a loop around br_table. Its state is a xorshift generator.
  (func (export "machine") (param $rounds i32) (result i32) (local $x i32) (local $acc i32) (local $n i32)
    (local.set $x (i32.const 2463534242))
    (local.set $n (i32.mul (local.get $rounds) (i32.const 1000)))
    (block $halt
      (loop $fetch
        (br_if $halt (i32.eqz (local.get $n)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (local.set $x (i32.xor (local.get $x) (i32.shl (local.get $x) (i32.const 13))))
        (local.set $x (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 17))))
        (local.set $x (i32.xor (local.get $x) (i32.shl (local.get $x) (i32.const 5))))
        (block $default (block $three (block $two (block $one (block $zero
          (br_table $zero $one $two $three $fetch $default (i32.rem_u (local.get $x) (i32.const 7))))
          (local.set $acc (i32.add (local.get $acc) (local.get $x))) (br $fetch))
          (local.set $acc (i32.xor (local.get $acc) (local.get $x))) (br $fetch))
          (local.set $acc (i32.rotl (local.get $acc) (i32.const 3))) (br $fetch))
          (local.set $acc (i32.mul (local.get $acc) (i32.const 5))) (br $fetch))
        (local.set $acc (i32.sub (local.get $acc) (i32.const 1)))
        (br $fetch)))
    (local.get $acc))

  ;; A loop whose parameters are its state, around a block with two results.
  (func (export "parameters") (param $rounds i32) (result i32)
    (i32.const 0) (i32.const 1)
    (loop $again (param i32 i32) (result i32 i32)
      (block $swap (param i32 i32) (result i32 i32)
        (call $swap)
        (br_if $swap (i32.and (local.get $rounds) (i32.const 1)))
        (i32.const 3) (i32.add))
      (i32.add (i32.const 1))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (i32.sub))
  (func $swap (param i32 i32) (result i32 i32) (local.get 1) (local.get 0))

  ;; Bulk instructions of many sizes.
  (func (export "bulk") (param $rounds i32) (result i32) (local $i i32)
    (loop $again
      (local.set $i (i32.const 0))
      (loop $next
        (memory.fill (i32.const 262144) (local.get $i) (i32.mul (local.get $i) (i32.const 63)))
        (memory.copy (i32.add (i32.const 278528) (local.get $i)) (i32.const 262144) (i32.mul (local.get $i) (i32.const 31)))
        (br_if $next (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 256))))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (i32.load (i32.const 280000)))

  ;; SIMD with every kind of argument.
  (func (export "simd") (param $rounds i32) (result i32) (local $v v128)
    (local.set $v (v128.const i32x4 1 2 3 4))
    (loop $again
      (v128.store offset=290000 (i32.const 16) (local.get $v))
      (v128.store8_lane offset=290000 15 (i32.const 3) (local.get $v))
      (local.set $v (i32x4.add (local.get $v) (v128.load offset=290000 (i32.const 16))))
      (local.set $v (i8x16.shuffle 3 2 1 0 7 6 5 4 11 10 9 8 31 30 29 28 (local.get $v) (i16x8.splat (local.get $rounds))))
      (local.set $v (v128.load16_lane offset=290000 2 (i32.const 3) (local.get $v)))
      (local.set $v (i16x8.mul (local.get $v) (i32x4.replace_lane 1 (local.get $v) (local.get $rounds))))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (i32.xor (i32x4.extract_lane 0 (local.get $v)) (i32x4.extract_lane 3 (local.get $v))))

  ;; A mutable global, changed by what the start function and calls do.
  (func (export "random") (param $rounds i32) (result i32)
    (loop $again
      (global.set $seed (i32.add (i32.mul (global.get $seed) (i32.const 1103515245)) (i32.const 12345)))
      (br_if $again (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1)))))
    (global.get $seed)))
