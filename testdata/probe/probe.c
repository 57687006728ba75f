// A guest that does what a script tells it, so that a test can reach every corner of the ABI. README.md has the grammar.
#include "script.h"
#include "ops.h"
#include "json.h"

static text from_environment(const char *key) {
  __wasi_size_t count, bytes;
  text t = {0, 0};
  if (__wasi_environ_sizes_get(&count, &bytes) || !count) return t;
  u8 **list = (u8 **)alloc(count * sizeof *list);
  if (__wasi_environ_get(list, alloc(bytes))) return t;
  u32 n = strlen(key);
  for (u32 i = 0; i < count; i++)
    if (!strncmp((char *)list[i], key, n) && list[i][n] == '=') t.p = list[i] + n + 1, t.n = strlen((char *)t.p);
  return t;
}

static void run(text s) {
  script = s, line_number = 0;
  while (next_line()) {
    u32 at = line_number;
    wrong = 0, ascii = false;
    text op = word();
    if (!op.n) continue;
    if (*op.p == '@') ascii = true, op.p++, op.n--;
    const struct op *o = ops;
    while (o->name && !is(op, o->name)) o++;
    u32 before = out.n;
    if (!o->name) wrong = "no such operation";
    else o->run(o->name);
    if (!wrong && line.n && !o->takes_rest && word().n) wrong = "too many words";
    if (!wrong) continue;
    out.n = before < out.n ? before : out.n;
    puts_("bad "), put_u64(at), puts_(": "), puts_(wrong), put_line();
    return;
  }
}

__attribute__((export_name("queue"))) int queue(void) {
  out.live = true;
  flush();
  text s = from_environment("PROBE_QUEUE");
  if (!s.p) {
    text batch = {0, 0};
    i32 n = zh_read(0, 0);
    if (n >= 0) batch.p = alloc(n), batch.n = zh_read((u32)(uintptr_t)batch.p, n);
    if (n < 0) {
      put_length("read", n, 0, 0);
      return 1;
    }
    if (!first_body(batch, &s)) {
      puts_("noscript "), put_quoted(batch.p, batch.n), put_line();
      return 0;
    }
  }
  run(s);
  return failed;
}

__attribute__((export_name("fetch"))) int fetch(void) {
  text s = from_environment("PROBE_FETCH");
  if (!s.p) {
    i32 n = zh_body(0, 0);
    if (n < 0) {
      put_length("body", n, 0, 0);
      return flush(), 1;
    }
    s.p = alloc(n), s.n = zh_body((u32)(uintptr_t)s.p, n);
  }
  run(s);
  static const char headers[] = "[[\"content-type\",\"text/plain; charset=utf-8\"]]";
  if (!answered) zh_respond(200, (u32)(uintptr_t)headers, sizeof headers - 1, (u32)(uintptr_t)out.p, out.n);
  return failed;
}

#ifdef INIT
// probe-init.wasm: the script in PROBE_INIT runs during _initialize. Its results are the first lines of the event's.
__attribute__((constructor)) static void initialize(void) { run(from_environment("PROBE_INIT")); }
#endif
