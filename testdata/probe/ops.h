// One function a script operation; the table is at the end.
#pragma once
#include "script.h"

#define AT(p) ((u32)(uintptr_t)(p))

static bool failed, answered;

static void put_exception(void) {
  i32 n = FN(exception)(0, 0);
  if (n < 0) return;
  u8 *p = alloc(n);
  FN(exception)(AT(p), n);
  put_quoted(p, n);
}

// put_status writes "op S" or "op 1 TEXT".
static void put_status(const char *op, i32 s) {
  puts_(op), puts_(" "), put_i64(s);
  if (s == 1) puts_(" "), put_exception();
  put_line();
}

// put_length writes what a call left in a buffer: "op N =TEXT" written, "op N ~" too small and untouched, "op -1 !TEXT" thrown,
// "op N #" when a byte changed that should not have. The buffer lies between fences and is full of '?' before the call.
enum { FENCE = 16 };

static void put_length(const char *op, i32 n, u8 *buf, u32 limit) {
  puts_(op), puts_(" "), put_i64(n);
  bool written = n >= 0 && (u32)n <= limit;
  u32 clean = 0, from = written ? n : 0;
  if (buf)
    for (u32 i = 0; i < limit + 2 * FENCE; i++) clean += i >= FENCE && i < FENCE + from ? 1 : buf[(i64)i - FENCE] == '?';
  if (n < 0) puts_(" !"), put_exception();
  else if (buf && clean != limit + 2 * FENCE) puts_(" #");
  else if (!written) puts_(" ~");
  else puts_(" ="), put_quoted(buf, n);
  put_line();
}

static void op_length(const char *op, i32 (*f)(u32, u32)) {
  text w = word();
  bool automatic = !w.n || is(w, "auto");
  i32 first = automatic ? f(0, 0) : 0;
  u32 limit = automatic ? first < 0 ? 0 : first : digits(w, UINT32_MAX);
  if (wrong) return;
  u8 *buf = alloc(limit + 2 * FENCE);
  memset(buf, '?', limit + 2 * FENCE);
  put_length(op, f(AT(buf + FENCE), limit), buf + FENCE, limit);
}

static void op_read(const char *op) { op_length(op, FN(read)); }
static void op_kind(const char *op) { op_length(op, FN(kind)); }
static void op_request(const char *op) { op_length(op, FN(request)); }
static void op_body(const char *op) { op_length(op, FN(body)); }
static void op_exception(const char *op) { op_length(op, FN(exception)); }

// --- producer ----------------------------------------------------------------------------------------------------

static void op_send(const char *op) {
  text to = name();
  i64 delay = int64();
  text m = payload(number());
  if (!wrong) put_status(op, FN(send)(AT(to.p), to.n, AT(m.p), m.n, delay));
}

static void op_badutf8send(const char *op) {
  text to = name();
  i64 delay = int64();
  if (!wrong) put_status(op, FN(send)(AT(to.p), to.n, AT("\"\xff\""), 3, delay));
}

static void op_batch(const char *op) {
  text to = name();
  text m = payload(number());
  if (!wrong) put_status(op, FN(batch)(AT(to.p), to.n, AT(m.p), m.n));
}

static u8 *put_filler(u8 *p, u32 count, u32 byte) {
  p[0] = p[count - 1] = '"';
  memset(p + 1, byte, count - 2);
  return p + count;
}

static u32 filler_size(void) {
  u32 n = number();
  if (n < 2) wrong = "a string has at least two bytes";
  return n;
}

static void op_fill(const char *op) {
  text to = name();
  i64 delay = int64();
  u32 count = filler_size(), byte = number_or('a'), blanks = number_or(0);
  if (wrong) return;
  u8 *m = alloc(count + blanks);
  memset(put_filler(m, count, byte), ' ', blanks);
  put_status(op, FN(send)(AT(to.p), to.n, AT(m), count + blanks, delay));
}

static void op_fillbatch(const char *op) {
  text to = name();
  u32 items = number(), count = filler_size(), byte = number_or('a'), blanks = number_or(0);
  if (wrong) return;
  static const char head[] = "{\"body\":";
  u8 *m = alloc(items * (count + sizeof head + 1) + blanks + 2), *p = m;
  *p++ = '[';
  for (u32 i = 0; i < items; i++) {
    if (i) *p++ = ',';
    memcpy(p, head, sizeof head - 1);
    p = put_filler(p + sizeof head - 1, count, byte);
    *p++ = '}';
  }
  memset(p, ' ', blanks);
  p[blanks] = ']';
  put_status(op, FN(batch)(AT(to.p), to.n, AT(m), p + blanks + 1 - m));
}

// --- consumer and request ----------------------------------------------------------------------------------------

static void op_ack(const char *op) {
  i64 i = int64();
  if (!wrong) put_status(op, FN(ack)(i));
}

static void op_retry(const char *op) {
  i64 i = int64(), delay = int64();
  if (!wrong) put_status(op, FN(retry)(i, delay));
}

static void done_respond(const char *op, i32 s) {
  if (s == 0 && !answered) answered = out.live = true, flush();
  put_status(op, s);
}

static void op_respond(const char *op) {
  u32 s = number(), hl = number(), bl = number();
  text h = payload(hl), b = payload(bl);
  if (!wrong) done_respond(op, FN(respond)(s, AT(h.p), h.n, AT(b.p), b.n));
}

// --- raw pointers ------------------------------------------------------------------------------------------------

static void op_rawsend(const char *op) {
  u32 bp = number(), bl = number(), mp = number(), ml = number();
  i64 delay = int64();
  if (!wrong) put_status(op, FN(send)(bp, bl, mp, ml, delay));
}

static void op_rawbatch(const char *op) {
  u32 bp = number(), bl = number(), mp = number(), ml = number();
  if (!wrong) put_status(op, FN(batch)(bp, bl, mp, ml));
}

static void op_rawrespond(const char *op) {
  u32 s = number(), hp = number(), hl = number(), bp = number(), bl = number();
  if (!wrong) done_respond(op, FN(respond)(s, hp, hl, bp, bl));
}

static void raw_length(const char *op, i32 (*f)(u32, u32)) {
  u32 p = number(), limit = number();
  if (wrong) return;
  i32 n = f(p, limit);
  puts_(op), puts_(" "), put_i64(n);
  if (n < 0) puts_(" !"), put_exception();
  put_line();
}

static void op_rawread(const char *op) { raw_length(op, FN(read)); }
static void op_rawkind(const char *op) { raw_length(op, FN(kind)); }
static void op_rawrequest(const char *op) { raw_length(op, FN(request)); }
static void op_rawbody(const char *op) { raw_length(op, FN(body)); }
static void op_rawexception(const char *op) { raw_length(op, FN(exception)); }

static bool inside(u32 p, u32 n) {
  bool ok = (uint64_t)p + n <= (uint64_t)__builtin_wasm_memory_size(0) << 16;
  if (!ok) wrong = "outside memory";
  return ok;
}

static void op_poke(const char *op) {
  u32 p = number();
  text t = payload(number());
  if (wrong || !inside(p, t.n)) return;
  memmove((u8 *)(uintptr_t)p, t.p, t.n);
  puts_(op), put_line();
}

static void op_peek(const char *op) {
  u32 p = number(), n = number();
  if (wrong || !inside(p, n)) return;
  puts_(op), puts_(" "), put_u64(n), puts_(" ="), put_quoted((u8 *)(uintptr_t)p, n), put_line();
}

#include "machine.h"

#define OP(name) {#name, op_##name, false}
#define OP_TEXT(name) {#name, op_##name, true} // the rest of its line is text

static const struct op {
  const char *name;
  void (*run)(const char *op);
  bool takes_rest;
} ops[] = {
    OP(send), OP(batch), OP(badutf8send), OP(fill), OP(fillbatch),
    OP(read), OP(ack), OP(retry),
    OP(kind), OP(request), OP(body), OP(respond), OP(exception),
    OP(rawsend), OP(rawbatch), OP(rawread), OP(rawkind), OP(rawrequest), OP(rawbody), OP(rawrespond), OP(rawexception),
    OP(poke), OP(peek), OP(size), OP(grow), OP(count),
    OP(trap), OP(loop), OP(recurse), OP(fail), OP(exit),
    OP_TEXT(print), OP_TEXT(printforever), OP(write), OP(sleep), OP(random), OP(clock), OP(args), OP(env),
    {0, 0, false},
};
