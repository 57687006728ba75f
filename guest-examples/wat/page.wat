;; The page-render service as a guest in WebAssembly text: it takes jobs over HTTP, puts them into a queue, and handles them when the
;; queue hands them back. README.md says what it leaves out.
(module
  ;; --- the binding -------------------------------------------------------------------------------------------------------------------
  ;; Each function has an ASCII name too, in the module "wazqueue", with the same parameters: (import "wazqueue" "send" …).
  ;; Text is a pointer and a length, UTF-8. Status: 0 done, 1 an exception, whose text $exception reads. Length: what the value has; it
  ;; was written if that is at most the limit; -1 an exception.
  (type $reader (func (param $buf i32) (param $limit i32) (result i32)))
  (import "消息队列" "发送队列消息" (func $send (param i32 i32 i32 i32 i64) (result i32)))
  (import "消息队列" "批量发送队列消息" (func $send_batch (param i32 i32 i32 i32) (result i32)))
  (import "消息队列" "读取队列批次" (func $read_batch (type $reader)))
  (import "消息队列" "确认队列消息" (func $ack (param i64) (result i32)))
  (import "消息队列" "重试队列消息" (func $retry (param i64 i64) (result i32)))
  (import "网页入站" "读取入站请求" (func $read_request (type $reader)))
  (import "网页入站" "读取入站正文" (func $read_body (type $reader)))
  (import "网页入站" "答复入站请求" (func $respond (param i32 i32 i32 i32 i32) (result i32)))
  (import "豫言异常" "读取异常消息" (func $exception (type $reader)))
  (import "wasi_snapshot_preview1" "fd_write" (func $fd_write (param i32 i32 i32 i32) (result i32)))

  (memory (export "memory") 1)
  (table funcref (elem $read_batch $read_request $read_body $exception))

  ;; reserve: grow memory until it reaches to $end.
  (func $reserve (param $end i32)
    (local $have i32)
    (local.set $have (i32.shl (memory.size) (i32.const 16)))
    (if (i32.gt_u (local.get $end) (local.get $have))
      (then
        (if (i32.eq (i32.const -1) (memory.grow (i32.add (i32.const 1)
            (i32.shr_u (i32.sub (local.get $end) (local.get $have)) (i32.const 16))))) (then unreachable)))))

  ;; read calls a reader (an index of the table) with all memory from $at as the buffer, and once more with a larger memory if that was
  ;; too small. The length, or -1.
  (func $read (param $reader i32) (param $at i32) (result i32)
    (local $n i32) (local $limit i32)
    (local.set $limit (i32.sub (i32.shl (memory.size) (i32.const 16)) (local.get $at)))
    (local.set $n (call_indirect (type $reader) (local.get $at) (local.get $limit) (local.get $reader)))
    (if (i32.le_s (local.get $n) (local.get $limit)) (then (return (local.get $n))))
    (call $reserve (i32.add (local.get $at) (local.get $n)))
    (call_indirect (type $reader) (local.get $at) (local.get $n) (local.get $reader)))

  ;; --- constants: see the lengths used below ------------------------------------------------------------------------------------------
  (data (i32.const 0) "PAGE_QUEUE")
  (data (i32.const 16) "[[\"content-type\",\"application/json\"]]")
  (data (i32.const 64) "[[\"content-type\",\"text/plain; charset=utf-8\"]]")
  (data (i32.const 128) "{\"queued\":true}")
  (data (i32.const 144) "{\"error\":\"")
  (data (i32.const 160) "not found")
  (data (i32.const 176) "delay is not a whole number")
  (data (i32.const 208) "GETPOST//render/batch")
  (data (i32.const 240) "delay=")
  (data (i32.const 256) "\"version\"\"v8\"\"url\"")
  (data (i32.const 288) "/pass/fail")
  (data (i32.const 304) "renderedretried skipped passed   attempts \n") ;; 8 bytes a word; " attempts " at 336, "\n" at 346
  (data (i32.const 384) "page-render: POST /render {\"kind\":\"page\",\"url\":\"/x\",\"version\":\"v8\"}, POST /render/batch [{\"body\":{}}]\n")
  (global $vectors i32 (i32.const 512))  ;; of fd_write, and behind them what it wrote
  (global $input i32 (i32.const 1024))   ;; what the host hands over

  ;; --- text --------------------------------------------------------------------------------------------------------------------------

  ;; begins: does the text p, n begin with q, m?
  (func $begins (param $p i32) (param $n i32) (param $q i32) (param $m i32) (result i32)
    (if (i32.lt_u (local.get $n) (local.get $m)) (then (return (i32.const 0))))
    (loop $next
      (if (i32.eqz (local.get $m)) (then (return (i32.const 1))))
      (if (i32.ne (i32.load8_u (local.get $p)) (i32.load8_u (local.get $q))) (then (return (i32.const 0))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (local.set $q (i32.add (local.get $q) (i32.const 1)))
      (local.set $m (i32.sub (local.get $m) (i32.const 1)))
      (br $next))
    unreachable)

  (func $is (param $p i32) (param $n i32) (param $q i32) (param $m i32) (result i32)
    (i32.and (i32.eq (local.get $n) (local.get $m)) (call $begins (local.get $p) (local.get $n) (local.get $q) (local.get $m))))

  ;; find: the first byte c in p … end, or end.
  (func $find (param $p i32) (param $end i32) (param $c i32) (result i32)
    (loop $next
      (if (i32.ge_u (local.get $p) (local.get $end)) (then (return (local.get $end))))
      (if (i32.eq (i32.load8_u (local.get $p)) (local.get $c)) (then (return (local.get $p))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br $next))
    unreachable)

  ;; skip: the end of the JSON value at p. The host's text is valid and has no blanks; structure inside strings is passed over.
  (func $skip (param $p i32) (result i32)
    (local $c i32) (local $depth i32)
    (loop $token
      (local.set $c (i32.load8_u (local.get $p)))
      (if (i32.eq (local.get $c) (i32.const 34)) ;; a string
        (then
          (loop $char
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (local.set $c (i32.load8_u (local.get $p)))
            (if (i32.eq (local.get $c) (i32.const 92)) (then (local.set $p (i32.add (local.get $p) (i32.const 1))) (br $char)))
            (br_if $char (i32.ne (local.get $c) (i32.const 34))))))
      (if (i32.eq (i32.and (local.get $c) (i32.const 0xdf)) (i32.const 91)) ;; [ or {
        (then (local.set $depth (i32.add (local.get $depth) (i32.const 1)))))
      (if (i32.eq (i32.and (local.get $c) (i32.const 0xdf)) (i32.const 93)) ;; ] or }
        (then (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))))
      (local.set $p (i32.add (local.get $p) (i32.const 1)))
      (br_if $token (local.get $depth))
      ;; outside of all brackets only a number or a word can go on
      (br_if $token (i32.and (call $in_word (local.get $c)) (call $in_word (i32.load8_u (local.get $p))))))
    (local.get $p))

  ;; in_word: a byte of a number or of true, false and null
  (func $in_word (param $c i32) (result i32)
    (i32.or
      (i32.lt_u (i32.sub (i32.or (local.get $c) (i32.const 32)) (i32.const 97)) (i32.const 26))
      (i32.or
        (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10))
        (i32.or (i32.eq (local.get $c) (i32.const 43))
          (i32.or (i32.eq (local.get $c) (i32.const 45)) (i32.eq (local.get $c) (i32.const 46)))))))

  ;; member: where the value of the key (with its quotes) in the object at p begins, or 0.
  (func $member (param $p i32) (param $key i32) (param $n i32) (result i32)
    (local $end i32)
    (if (i32.ne (i32.load8_u (local.get $p)) (i32.const 123)) (then (return (i32.const 0))))
    (loop $next
      (local.set $p (i32.add (local.get $p) (i32.const 1))) ;; the { or a comma
      (if (i32.ne (i32.load8_u (local.get $p)) (i32.const 34)) (then (return (i32.const 0)))) ;; {}
      (local.set $end (call $skip (local.get $p)))
      (if (call $is (local.get $p) (i32.sub (local.get $end) (local.get $p)) (local.get $key) (local.get $n))
        (then (return (i32.add (local.get $end) (i32.const 1)))))
      (local.set $p (call $skip (i32.add (local.get $end) (i32.const 1))))
      (br_if $next (i32.eq (i32.load8_u (local.get $p)) (i32.const 44))))
    (i32.const 0))

  ;; number: the integer in p … end, nothing being 0. One too long saturates; the second result is 0 if it is no integer.
  (func $number (param $p i32) (param $end i32) (result i64 i32)
    (local $v i64) (local $minus i32) (local $c i32)
    (if (i32.lt_u (local.get $p) (local.get $end)) (then
      (if (i32.eq (i32.load8_u (local.get $p)) (i32.const 45)) (then
        (local.set $minus (i32.const 1))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (if (i32.eq (local.get $p) (local.get $end)) (then (return (i64.const 0) (i32.const 0))))))))
    (block $done
      (loop $digit
        (br_if $done (i32.ge_u (local.get $p) (local.get $end)))
        (local.set $c (i32.sub (i32.load8_u (local.get $p)) (i32.const 48)))
        (if (i32.gt_u (local.get $c) (i32.const 9)) (then (return (i64.const 0) (i32.const 0))))
        (local.set $v (if (result i64) (i64.gt_u (local.get $v) (i64.const 922337203685477579))
          (then (i64.const 9223372036854775807))
          (else (i64.add (i64.mul (local.get $v) (i64.const 10)) (i64.extend_i32_u (local.get $c))))))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br $digit)))
    (if (result i64) (local.get $minus) (then (i64.sub (i64.const 0) (local.get $v))) (else (local.get $v)))
    (i32.const 1))

  ;; vector: the i-th piece of what $print writes
  (func $vector (param $i i32) (param $p i32) (param $n i32)
    (local.set $i (i32.add (global.get $vectors) (i32.shl (local.get $i) (i32.const 3))))
    (i32.store (local.get $i) (local.get $p))
    (i32.store offset=4 (local.get $i) (local.get $n)))

  ;; --- the queue event ---------------------------------------------------------------------------------------------------------------

  ;; render is the work: a pure function, since a message may come twice.
  (func $render (param $url i32) (param $n i32) (result i32)
    (i32.and (call $begins (local.get $url) (local.get $n) (i32.const 288) (i32.const 1))
      (i32.eqz (call $begins (local.get $url) (local.get $n) (i32.const 293) (i32.const 5)))))

  ;; handle: one message. The status of the host, and the word for what was done (0 rendered, 1 retried, 2 skipped, 3 passed).
  (func $handle (param $index i64) (param $body i32) (param $attempts i64) (result i32 i32)
    (local $version i32) (local $url i32) (local $n i32)
    (local.set $version (call $member (local.get $body) (i32.const 256) (i32.const 9)))
    (local.set $url (call $member (local.get $body) (i32.const 269) (i32.const 5)))
    (if (local.get $url) (then ;; a string without its quotes; another value does not begin with a slash then
      (local.set $n (i32.sub (call $skip (local.get $url)) (i32.add (local.get $url) (i32.const 2))))
      (if (i32.ne (i32.load8_u (local.get $url)) (i32.const 34)) (then (local.set $n (i32.const 0))))
      (local.set $url (i32.add (local.get $url) (i32.const 1)))))
    (if (i32.eqz (local.get $version)) (then (return (call $ack (local.get $index)) (i32.const 2))))
    (if (i32.eqz (call $is (local.get $version) (i32.sub (call $skip (local.get $version)) (local.get $version)) (i32.const 265) (i32.const 4)))
      (then (return (call $ack (local.get $index)) (i32.const 2))))
    (if (call $begins (local.get $url) (local.get $n) (i32.const 288) (i32.const 5))
      (then (return (i32.const 0) (i32.const 3)))) ;; no mark: done if the event ends well
    (if (call $render (local.get $url) (local.get $n)) (then (return (call $ack (local.get $index)) (i32.const 0))))
    ;; 30 s, 60 s, 120 s, then 240 s: never over the 300 the others take the minimum with
    (call $retry (local.get $index) (i64.shl (i64.const 15)
      (select (local.get $attempts) (i64.const 4) (i64.lt_u (local.get $attempts) (i64.const 4)))))
    (i32.const 1))

  (func (export "处理队列批次") (result i32)
    (local $p i32) (local $id i32) (local $id_end i32) (local $attempts i32) (local $attempts_end i32)
    (local $body i32) (local $index i64) (local $did i32)
    (if (i32.lt_s (call $read (i32.const 0) (global.get $input)) (i32.const 0)) (then (return (i32.const 1))))
    ;; {"queue":…,"messages":[{"id":…,"attempts":…,"timestamp":…,"body":…},…]}
    (local.set $p (i32.add (call $skip (i32.add (global.get $input) (i32.const 9))) (i32.const 13)))
    (loop $message
      (if (i32.ne (i32.load8_u (local.get $p)) (i32.const 123)) (then (return (i32.const 0))))
      (local.set $id (i32.add (local.get $p) (i32.const 6)))
      (local.set $id_end (call $skip (local.get $id)))
      (local.set $attempts (i32.add (local.get $id_end) (i32.const 12)))
      (local.set $attempts_end (call $skip (local.get $attempts)))
      (local.set $body (i32.add (call $skip (i32.add (local.get $attempts_end) (i32.const 13))) (i32.const 8)))
      (call $handle (local.get $index) (local.get $body) (call $number (local.get $attempts) (local.get $attempts_end)) (drop))
      (local.set $did)
      (if (then (return (i32.const 1)))) ;; an exception: nothing here can handle it, so the event fails
      (local.set $did (i32.add (i32.const 304) (i32.shl (local.get $did) (i32.const 3))))
      (call $vector (i32.const 0) (local.get $did) (i32.sub (call $find (local.get $did) (i32.add (local.get $did) (i32.const 8)) (i32.const 32)) (local.get $did)))
      (call $vector (i32.const 1) (i32.const 336) (i32.const 1))
      (call $vector (i32.const 2) (i32.add (local.get $id) (i32.const 1)) (i32.sub (local.get $id_end) (i32.add (local.get $id) (i32.const 2))))
      (call $vector (i32.const 3) (i32.const 336) (i32.const 10))
      (call $vector (i32.const 4) (local.get $attempts) (i32.sub (local.get $attempts_end) (local.get $attempts)))
      (call $vector (i32.const 5) (i32.const 346) (i32.const 1))
      (drop (call $fd_write (i32.const 1) (global.get $vectors) (i32.const 6) (i32.add (global.get $vectors) (i32.const 48))))
      (local.set $index (i64.add (local.get $index) (i64.const 1)))
      (local.set $p (i32.add (call $skip (local.get $body)) (i32.const 1))) ;; the }
      (local.set $p (i32.add (local.get $p) (i32.eq (i32.load8_u (local.get $p)) (i32.const 44))))
      (br $message))
    unreachable)

  ;; --- the fetch event ---------------------------------------------------------------------------------------------------------------

  (func $answer (param $status i32) (param $p i32) (param $n i32) (result i32)
    (call $respond (local.get $status) (i32.const 16) (i32.const 37) (local.get $p) (local.get $n)))

  ;; fail answers {"error":…}, built at $to, with what JSON wants escaped in the text.
  (func $fail (param $status i32) (param $p i32) (param $n i32) (param $to i32) (result i32)
    (local $q i32) (local $end i32) (local $c i32)
    (local.set $end (i32.add (local.get $p) (local.get $n)))
    (call $reserve (i32.add (local.get $to) (i32.add (i32.const 12) (i32.mul (local.get $n) (i32.const 6)))))
    (i64.store (local.get $to) (i64.load (i32.const 144))) ;; {"error":"
    (i32.store16 offset=8 (local.get $to) (i32.load16_u (i32.const 152)))
    (local.set $q (i32.add (local.get $to) (i32.const 10)))
    (loop $next
      (if (i32.lt_u (local.get $p) (local.get $end)) (then
        (local.set $c (i32.load8_u (local.get $p)))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (if (i32.lt_u (local.get $c) (i32.const 32))
          (then ;; \u00 and two digits
            (i32.store (local.get $q) (i32.const 0x3030755c))
            (i32.store8 offset=4 (local.get $q) (i32.add (i32.const 48) (i32.shr_u (local.get $c) (i32.const 4))))
            (local.set $c (i32.and (local.get $c) (i32.const 15)))
            (local.set $c (i32.add (local.get $c) (select (i32.const 48) (i32.const 87) (i32.lt_u (local.get $c) (i32.const 10)))))
            (local.set $q (i32.add (local.get $q) (i32.const 5))))
          (else
            (if (i32.or (i32.eq (local.get $c) (i32.const 34)) (i32.eq (local.get $c) (i32.const 92))) (then
              (i32.store8 (local.get $q) (i32.const 92))
              (local.set $q (i32.add (local.get $q) (i32.const 1)))))))
        (i32.store8 (local.get $q) (local.get $c))
        (local.set $q (i32.add (local.get $q) (i32.const 1)))
        (br $next))))
    (i32.store16 (local.get $q) (i32.const 0x7d22)) ;; "}
    (call $answer (local.get $status) (local.get $to) (i32.add (i32.const 2) (i32.sub (local.get $q) (local.get $to)))))

  ;; queued answers for a send: the status handled where it comes back.
  (func $queued (param $threw i32) (result i32)
    (local $n i32)
    (if (i32.eqz (local.get $threw)) (then (return (call $answer (i32.const 202) (i32.const 128) (i32.const 15)))))
    (local.set $n (call $read (i32.const 3) (global.get $input)))
    (call $fail (i32.const 400) (global.get $input) (local.get $n) (i32.add (global.get $input) (local.get $n))))

  ;; delay: the query parameter of that name as it stands in the URL, as $number gives it.
  (func $delay (param $p i32) (param $end i32) (result i64 i32)
    (local $pair i32)
    (loop $next
      (if (i32.lt_u (local.get $p) (local.get $end)) (then
        (local.set $pair (call $find (local.get $p) (local.get $end) (i32.const 38)))
        (if (call $begins (local.get $p) (i32.sub (local.get $pair) (local.get $p)) (i32.const 240) (i32.const 6))
          (then (return (call $number (i32.add (local.get $p) (i32.const 6)) (local.get $pair)))))
        (local.set $p (i32.add (local.get $pair) (i32.const 1)))
        (br $next))))
    (i64.const 0) (i32.const 1))

  (func (export "处理入站网页请求") (result i32)
    (local $body i32) (local $n i32) (local $method i32) (local $method_n i32) (local $url i32) (local $end i32)
    (local $query i32) (local $path i32) (local $path_n i32) (local $delay i64)
    ;; {"method":…,"url":…,…}
    (local.set $n (call $read (i32.const 1) (global.get $input)))
    (if (i32.lt_s (local.get $n) (i32.const 0)) (then (return (i32.const 1))))
    (local.set $body (i32.add (global.get $input) (local.get $n)))
    (local.set $n (call $read (i32.const 2) (local.get $body)))
    (if (i32.lt_s (local.get $n) (i32.const 0)) (then (return (i32.const 1))))
    (local.set $method (i32.add (global.get $input) (i32.const 11)))
    (local.set $end (call $skip (i32.sub (local.get $method) (i32.const 1))))
    (local.set $method_n (i32.sub (i32.sub (local.get $end) (i32.const 1)) (local.get $method)))
    (local.set $url (i32.add (local.get $end) (i32.const 8)))
    (local.set $end (i32.sub (call $skip (i32.sub (local.get $url) (i32.const 1))) (i32.const 1)))
    ;; scheme: / / host / path ? query # fragment
    (local.set $end (call $find (local.get $url) (local.get $end) (i32.const 35)))
    (local.set $query (call $find (local.get $url) (local.get $end) (i32.const 63)))
    (local.set $path (call $find (local.get $url) (local.get $query) (i32.const 47)))
    (local.set $path (call $find (i32.add (local.get $path) (i32.const 1)) (local.get $query) (i32.const 47)))
    (local.set $path (call $find (i32.add (local.get $path) (i32.const 1)) (local.get $query) (i32.const 47)))
    (local.set $path_n (i32.sub (local.get $query) (local.get $path)))

    (if (call $is (local.get $method) (local.get $method_n) (i32.const 208) (i32.const 3)) (then ;; GET /
      (if (i32.or (i32.eqz (local.get $path_n)) (call $is (local.get $path) (local.get $path_n) (i32.const 215) (i32.const 1)))
        (then (return (call $respond (i32.const 200) (i32.const 64) (i32.const 46) (i32.const 384) (i32.const 102)))))))
    (if (call $is (local.get $method) (local.get $method_n) (i32.const 211) (i32.const 4)) (then ;; POST
      (if (call $is (local.get $path) (local.get $path_n) (i32.const 216) (i32.const 7)) (then ;; /render
        (call $delay (i32.add (local.get $query) (i32.const 1)) (local.get $end))
        (if (param i64) (result i64) (then) (else (drop) (return
          (call $fail (i32.const 400) (i32.const 176) (i32.const 27) (i32.add (local.get $body) (local.get $n))))))
        (local.set $delay)
        (return (call $queued
          (call $send (i32.const 0) (i32.const 10) (local.get $body) (local.get $n) (local.get $delay))))))
      (if (call $is (local.get $path) (local.get $path_n) (i32.const 216) (i32.const 13)) (then ;; /render/batch
        (return (call $queued (call $send_batch (i32.const 0) (i32.const 10) (local.get $body) (local.get $n))))))))
    (call $fail (i32.const 404) (i32.const 160) (i32.const 9) (global.get $input))))
