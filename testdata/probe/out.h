// Memory and the result lines. No libc allocator and no stdio: what the probe imports, and when it calls, is then plain to see.
#pragma once
#include <stdbool.h>
#include <string.h>
#include <wasi/api.h>
#include "abi.h"

typedef struct { u8 *p; u32 n; } text;

static _Noreturn void die(const char *why) {
  __wasi_ciovec_t v = {(const u8 *)why, strlen(why)};
  __wasi_size_t n;
  (void)__wasi_fd_write(2, &v, 1, &n);
  __builtin_trap();
}

// alloc never frees: an instance lives for one event.
static u8 *alloc(u32 n) {
  extern u8 __heap_base;
  static uint64_t top;
  if (!top) top = ((uintptr_t)&__heap_base + 15) & ~15ull;
  uint64_t end = (top + n + 15) & ~15ull, have = (uint64_t)__builtin_wasm_memory_size(0) << 16;
  if (end > have && (end > 1ull << 32 || __builtin_wasm_memory_grow(0, (end - have + 65535) >> 16) == (size_t)-1))
    die("probe: out of memory\n");
  u8 *p = (u8 *)(uintptr_t)top;
  top = end;
  return p;
}

static struct { u8 *p; u32 n, cap; bool live; } out; // live: each finished line goes to stdout at once

static void put(const void *p, u32 n) {
  if (n > out.cap - out.n) {
    u32 cap = (out.n + n) * 2 + 4096;
    u8 *q = alloc(cap);
    memcpy(q, out.p, out.n);
    out.p = q, out.cap = cap;
  }
  memcpy(out.p + out.n, p, n);
  out.n += n;
}

static void puts_(const char *s) { put(s, strlen(s)); }

static void put_u64(uint64_t v) {
  char b[20];
  u32 i = sizeof b;
  do b[--i] = '0' + v % 10; while (v /= 10);
  put(b + i, sizeof b - i);
}

static void put_i64(i64 v) {
  if (v < 0) puts_("-");
  put_u64(v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

static void put_hex(const u8 *p, u32 n) {
  static const char digit[] = "0123456789abcdef";
  for (u32 i = 0; i < n; i++) {
    char b[2] = {digit[p[i] >> 4], digit[p[i] & 15]};
    put(b, 2);
  }
}

// put_quoted keeps a value on one line: backslash and ASCII control characters are escaped, everything else is raw.
static void put_quoted(const u8 *p, u32 n) {
  for (u32 i = 0, from = 0; i <= n; i++) {
    if (i < n && p[i] != '\\' && p[i] >= 0x20 && p[i] != 0x7f) continue;
    put(p + from, i - from);
    from = i + 1;
    if (i == n) break;
    if (p[i] == '\\') puts_("\\\\");
    else if (p[i] == '\n') puts_("\\n");
    else puts_("\\x"), put_hex(p + i, 1);
  }
}

static u32 write_all(u32 fd, const u8 *p, u32 n) {
  while (n) {
    __wasi_ciovec_t v = {p, n};
    __wasi_size_t done = 0;
    __wasi_errno_t e = __wasi_fd_write(fd, &v, 1, &done);
    if (e) return e;
    p += done, n -= done;
  }
  return 0;
}

static void flush(void) { write_all(1, out.p, out.n), out.n = 0; }

static void put_line(void) {
  puts_("\n");
  if (out.live) flush();
}
