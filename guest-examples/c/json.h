// Finding values in the JSON the host hands a guest. That text is valid and canonical: no blanks, and nothing escaped that need not be,
// so a plain key or value can be compared byte by byte. Structure inside strings is never taken for structure.
#pragma once
#include <stdbool.h>
#include <string.h>
#include "wazqueue.h"

static inline bool text_is(wq_text t, wq_text other) { return t.n == other.n && !memcmp(t.p, other.p, t.n); }
static inline bool text_begins(wq_text t, wq_text with) { return t.n >= with.n && !memcmp(t.p, with.p, with.n); }

// json_take cuts the value that rest begins with off rest; empty at the end of the text.
static wq_text json_take(wq_text *rest) {
  const char *p = rest->p, *end = p + rest->n;
  int depth = 0;
  while (p < end) {
    char c = *p++;
    if (c == '"') {
      while (p < end && *p != '"') p += *p == '\\' ? 2 : 1;
      p++;
    } else if (c == '{' || c == '[') depth++;
    else if (c == '}' || c == ']') depth--;
    else if (c != ',' && c != ':')
      while (p < end && *p != ',' && *p != '}' && *p != ']') p++;
    if (depth <= 0) break;
  }
  if (p > end) p = end; // a string without its end
  wq_text value = {rest->p, p - rest->p};
  *rest = (wq_text){p, end - p};
  return value;
}

// json_next steps through an array or object: begin with rest = the value itself, get its elements (or its keys and values in turn)
// until false.
static bool json_next(wq_text *rest, wq_text *value) {
  if (rest->n < 2 || *rest->p == '}' || *rest->p == ']') return false;
  rest->p++, rest->n--; // the [ or {, a comma or a colon
  if (*rest->p == '}' || *rest->p == ']') return false; // [] or {}
  *value = json_take(rest);
  return true;
}

// json_member returns an object's member, or an empty text if there is none, or no object. The key is given with its quotes.
static wq_text json_member(wq_text object, wq_text key) {
  wq_text k, v;
  if (object.n && *object.p == '{')
    while (json_next(&object, &k) && json_next(&object, &v))
      if (text_is(k, key)) return v;
  return (wq_text){"", 0};
}

// json_string returns a string's text without the quotes, escapes as they stand, or an empty text for another value.
static wq_text json_string(wq_text value) {
  if (value.n < 2 || *value.p != '"') return (wq_text){"", 0};
  return (wq_text){value.p + 1, value.n - 2};
}
