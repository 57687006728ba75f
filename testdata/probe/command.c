// A command: only _start, run anew for every event. It asks for the event's kind, prints "kind KIND", and ends as it is told by the
// request body or by message 0's body: an integer N: proc_exit(N), 0 too; anything else: main returns 0.
#include "json.h"
#include "ops.h"

static text value(i32 (*f)(u32, u32)) {
  i32 n = f(0, 0);
  if (n < 0) die("command: exception\n");
  text t = {alloc(n), n};
  f(AT(t.p), n);
  return t;
}

int main(void) {
  text kind = value(zh_kind), told = {0, 0};
  puts_("kind "), put(kind.p, kind.n), puts_("\n"), flush();
  if (is(kind, "fetch")) told = value(zh_body);
  if (is(kind, "queue")) {
    told = value(zh_read);
    if (!to_first_body(&told)) die("command: the batch is not canonical\n");
  }
  u32 digits_ = 0;
  while (digits_ < told.n && told.p[digits_] >= '0' && told.p[digits_] <= '9') digits_++;
  if (digits_) __wasi_proc_exit(digits((text){told.p, digits_}, UINT32_MAX));
  return 0;
}
