// Reading a script: lines, words, numbers and raw payloads. README.md has the grammar.
#pragma once
#include "out.h"

static text script, line;  // what is left of the script, and of the current line
static u32 line_number;
static const char *wrong;  // why the current line cannot be carried out
static bool ascii;         // the current line asks for the ASCII names
static u8 scratch[65536];  // ABI tests poke and peek here

static bool next_line(void) {
  if (!script.n) return false;
  u8 *nl = memchr(script.p, '\n', script.n);
  line.p = script.p, line.n = nl ? nl - script.p : script.n;
  u32 used = line.n + (nl != 0);
  script.p += used, script.n -= used, line_number++;
  return true;
}

static text word(void) {
  while (line.n && *line.p == ' ') line.p++, line.n--;
  text w = {line.p, 0};
  while (line.n && *line.p != ' ') line.p++, line.n--, w.n++;
  return w;
}

static bool is(text w, const char *s) { return w.n == strlen(s) && !memcmp(w.p, s, w.n); }

// rest is what follows the one blank after the last word.
static text rest(void) {
  if (line.n) line.p++, line.n--;
  return line;
}

static text payload(u32 n) {
  text t = {script.p, n};
  if (n > script.n) {
    wrong = "the script ends inside the payload";
    t.n = script.n;
  }
  for (u32 i = 0; i < t.n; i++) line_number += t.p[i] == '\n';
  script.p += t.n, script.n -= t.n;
  return t;
}

static int hex_digit(u8 c) {
  return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

// name decodes %XX; a lone % is the empty name.
static text name(void) {
  text w = word(), t = {alloc(w.n), 0};
  if (!w.n) wrong = "a name is missing";
  if (is(w, "%")) return t;
  for (u32 i = 0; i < w.n; i++) {
    if (w.p[i] != '%') {
      t.p[t.n++] = w.p[i];
      continue;
    }
    int hi = -1, lo = -1;
    if (i + 2 < w.n) hi = hex_digit(w.p[i + 1]), lo = hex_digit(w.p[i + 2]);
    if (hi < 0 || lo < 0) {
      wrong = "a % without two hexadecimal digits";
      return t;
    }
    t.p[t.n++] = hi << 4 | lo, i += 2;
  }
  return t;
}

static uint64_t digits(text w, uint64_t max) {
  uint64_t v = 0;
  u32 i = 0, base = 10;
  if (w.n > 2 && w.p[0] == '0' && w.p[1] == 'x') base = 16, i = 2;
  if (i == w.n) wrong = "a number is missing";
  for (; i < w.n; i++) {
    int d = hex_digit(w.p[i]);
    if (d < 0 || d >= (int)base || v > (max - d) / base) {
      wrong = "not a number in range";
      return 0;
    }
    v = v * base + d;
  }
  return v;
}

static i64 int64(void) {
  text w = word();
  if (!w.n || *w.p != '-') return digits(w, INT64_MAX);
  w.p++, w.n--;
  return 0 - digits(w, 1ull << 63);
}

// number is a u32: digits, 0xHEX, -N (wraps), and end or scratch with +N or -N after it.
static u32 number(void) {
  text w = word();
  u32 base = 0;
  if (w.n >= 3 && !memcmp(w.p, "end", 3)) base = __builtin_wasm_memory_size(0) << 16, w.p += 3, w.n -= 3;
  else if (w.n >= 7 && !memcmp(w.p, "scratch", 7)) base = (u32)(uintptr_t)scratch, w.p += 7, w.n -= 7;
  else if (!w.n || *w.p != '-') return digits(w, UINT32_MAX);
  if (!w.n) return base;
  bool minus = *w.p == '-';
  if (!minus && *w.p != '+') wrong = "not a number in range";
  w.p++, w.n--;
  u32 v = digits(w, UINT32_MAX);
  return minus ? base - v : base + v;
}

static u32 number_or(u32 otherwise) {
  while (line.n && *line.p == ' ') line.p++, line.n--;
  return line.n ? number() : otherwise;
}
