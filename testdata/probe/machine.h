// Operations that concern the machine and WASI instead of the queue; part of ops.h.
#pragma once
#include "script.h"

static void op_trap(const char *op) { __builtin_trap(); }

static void op_loop(const char *op) {
  for (;;) __asm__ volatile("");
}

__attribute__((noinline)) static u32 deeper(volatile u8 *above) {
  volatile u8 frame[64];
  frame[0] = *above + 1;
  return deeper(frame) + frame[0];
}

static void op_recurse(const char *op) {
  volatile u8 top = 0;
  put_u64(deeper(&top));
}

static void op_size(const char *op) { puts_(op), puts_(" "), put_u64(__builtin_wasm_memory_size(0)), put_line(); }

// With pages: one memory.grow, its result. Without: until not one page more is had, then the size.
static void op_grow(const char *op) {
  u32 pages = number_or(0);
  if (wrong) return;
  if (!pages) {
    for (u32 step = 32768; step;)
      if (__builtin_wasm_memory_grow(0, step) == (size_t)-1) step /= 2;
    return op_size(op);
  }
  i32 before = __builtin_wasm_memory_grow(0, pages);
  puts_(op), puts_(" "), put_i64(before), put_line();
}

// count shows whether an instance is new: it is 1 unless an earlier count ran in this memory.
static void op_count(const char *op) {
  static u32 count;
  puts_(op), puts_(" "), put_u64(++count), put_line();
}

static void op_fail(const char *op) {
  failed = true;
  puts_(op), put_line();
}

static void op_exit(const char *op) {
  u32 code = number();
  if (wrong) return;
  __wasi_proc_exit(code);
}

static void put_errno(const char *op, u32 e) { puts_(op), puts_(" "), put_u64(e); }

static text text_line(void) {
  text t = rest(), whole = {alloc(t.n + 1), t.n + 1};
  memcpy(whole.p, t.p, t.n);
  whole.p[t.n] = '\n';
  return whole;
}

static void op_print(const char *op) {
  u32 fd = number(), count = number(), e = 0;
  if (wrong) return;
  text t = text_line();
  for (; count && !e; count--) e = write_all(fd, t.p, t.n);
  put_errno(op, e), put_line();
}

static void op_printforever(const char *op) {
  u32 fd = number();
  if (wrong) return;
  text t = text_line();
  for (;;) (void)write_all(fd, t.p, t.n);
}

static void op_write(const char *op) {
  u32 fd = number();
  text t = payload(number());
  if (wrong) return;
  __wasi_ciovec_t v = {t.p, t.n};
  __wasi_size_t n = 0;
  u32 e = __wasi_fd_write(fd, &v, 1, &n);
  put_errno(op, e), puts_(" "), put_u64(n), put_line();
}

static void op_sleep(const char *op) {
  i64 ms = int64();
  if (wrong) return;
  __wasi_subscription_t in = {.u = {.tag = __WASI_EVENTTYPE_CLOCK, .u.clock = {.id = __WASI_CLOCKID_MONOTONIC, .timeout = ms * 1000000}}};
  __wasi_event_t event;
  __wasi_size_t n;
  put_errno(op, __wasi_poll_oneoff(&in, &event, 1, &n)), put_line();
}

static void op_random(const char *op) {
  u32 n = number();
  if (wrong) return;
  u8 *p = alloc(n);
  put_errno(op, __wasi_random_get(p, n)), puts_(" "), put_hex(p, n), put_line();
}

static void op_clock(const char *op) {
  __wasi_timestamp_t real = 0, monotonic = 0;
  u32 e = __wasi_clock_time_get(__WASI_CLOCKID_REALTIME, 1, &real);
  if (!e) e = __wasi_clock_time_get(__WASI_CLOCKID_MONOTONIC, 1, &monotonic);
  put_errno(op, e), puts_(" "), put_u64(real), puts_(" "), put_u64(monotonic), put_line();
}

static void put_strings(const char *op, const char *each, __wasi_errno_t (*sizes)(__wasi_size_t *, __wasi_size_t *),
                        __wasi_errno_t (*get)(u8 **, u8 *)) {
  __wasi_size_t count = 0, bytes = 0;
  u32 e = sizes(&count, &bytes);
  u8 **list = (u8 **)alloc(count * sizeof *list);
  if (!e) e = get(list, alloc(bytes));
  put_errno(op, e), puts_(" "), put_u64(count), put_line();
  for (u32 i = 0; i < count && !e; i++) puts_(each), puts_(" "), put_quoted(list[i], strlen((char *)list[i])), put_line();
}

static void op_args(const char *op) { put_strings(op, "arg", __wasi_args_sizes_get, __wasi_args_get); }
static void op_env(const char *op) { put_strings(op, "var", __wasi_environ_sizes_get, __wasi_environ_get); }
