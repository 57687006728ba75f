// The first message's body out of the canonical batch text, strictly: a key out of place or a blank is a mismatch.
#pragma once
#include "script.h"

static bool skip(text *t, const char *s) {
  u32 n = strlen(s);
  if (n > t->n || memcmp(t->p, s, n)) return false;
  t->p += n, t->n -= n;
  return true;
}

static void put_rune(text *to, u32 c) {
  if (c < 0x80) to->p[to->n++] = c;
  else if (c < 0x800) to->p[to->n++] = 0xc0 | c >> 6, to->p[to->n++] = 0x80 | (c & 63);
  else {
    if (c < 0x10000) to->p[to->n++] = 0xe0 | c >> 12;
    else to->p[to->n++] = 0xf0 | c >> 18, to->p[to->n++] = 0x80 | (c >> 12 & 63);
    to->p[to->n++] = 0x80 | (c >> 6 & 63), to->p[to->n++] = 0x80 | (c & 63);
  }
}

static bool unit(text *t, u32 *c) {
  if (t->n < 4) return false;
  *c = 0;
  for (u32 i = 0; i < 4; i++) {
    int d = hex_digit(t->p[i]);
    if (d < 0) return false;
    *c = *c << 4 | d;
  }
  t->p += 4, t->n -= 4;
  return true;
}

// json_string unescapes a string. A lone surrogate becomes its three bytes, which are not UTF-8: tests want that too.
static bool json_string(text *t, text *to) {
  if (!skip(t, "\"")) return false;
  to->p = alloc(t->n), to->n = 0;
  while (t->n) {
    u8 c = *t->p++;
    t->n--;
    if (c == '"') return true;
    if (c < 0x20) return false;
    if (c != '\\') {
      to->p[to->n++] = c;
      continue;
    }
    if (!t->n) return false;
    c = *t->p++, t->n--;
    static const char from[] = "\"\\/bfnrt", is_[] = "\"\\/\b\f\n\r\t";
    const char *at = memchr(from, c, sizeof from - 1);
    u32 hi, lo;
    if (at) to->p[to->n++] = is_[at - from];
    else if (c != 'u' || !unit(t, &hi)) return false;
    else {
      text ahead = *t;
      if (hi >> 10 == 0x36 && skip(&ahead, "\\u") && unit(&ahead, &lo) && lo >> 10 == 0x37)
        hi = 0x10000 + ((hi & 1023) << 10) + (lo & 1023), *t = ahead;
      put_rune(to, hi);
    }
  }
  return false;
}

static bool integer(text *t) {
  u32 n = t->n;
  while (t->n && *t->p >= '0' && *t->p <= '9') t->p++, t->n--;
  return t->n < n;
}

// to_first_body leaves t at the value of message 0's body.
static bool to_first_body(text *t) {
  text ignored;
  return skip(t, "{\"queue\":") && json_string(t, &ignored) && skip(t, ",\"messages\":[{\"id\":") && json_string(t, &ignored) &&
         skip(t, ",\"attempts\":") && integer(t) && skip(t, ",\"timestamp\":") && integer(t) && skip(t, ",\"body\":");
}

static bool first_body(text t, text *body) { return to_first_body(&t) && json_string(&t, body) && skip(&t, "}"); }
