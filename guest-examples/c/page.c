// The page-render service as a guest in C: it takes jobs over HTTP, puts them into a queue, and handles them when the queue hands them
// back.
#include <unistd.h>
#include "json.h"
#include "wazqueue.h"

static const wq_text binding = WQ_TEXT("PAGE_QUEUE"), json_headers = WQ_TEXT("[[\"content-type\",\"application/json\"]]");

// --- text ----------------------------------------------------------------------------------------------------------------------------

typedef struct {
  char *p;
  size_t n, cap;
} buffer;

static void add(buffer *b, wq_text t) {
  if (b->n + t.n > b->cap) {
    b->cap = (b->n + t.n) * 2 + 64;
    b->p = realloc(b->p, b->cap);
    if (!b->p) abort();
  }
  memcpy(b->p + b->n, t.p, t.n);
  b->n += t.n;
}

static void add_number(buffer *b, int64_t v) {
  char digits[20], *p = digits + sizeof digits;
  do *--p = '0' + v % 10; while (v /= 10);
  add(b, (wq_text){p, digits + sizeof digits - p});
}

static void add_json_string(buffer *b, wq_text t) {
  static const char hex[] = "0123456789abcdef";
  add(b, WQ_TEXT("\""));
  for (size_t i = 0; i < t.n; i++) {
    unsigned char c = t.p[i];
    char escape[] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
    if (c < 0x20) add(b, (wq_text){escape, 6});
    else if (c == '"' || c == '\\') escape[1] = c, add(b, (wq_text){escape, 2});
    else add(b, (wq_text){t.p + i, 1});
  }
  add(b, WQ_TEXT("\""));
}

static void print(int fd, buffer b) {
  while (b.n) {
    ssize_t n = write(fd, b.p, b.n);
    if (n < 0) return; // the host takes no more output
    b.p += n, b.n -= n;
  }
}

// whole_number reads an integer, nothing being 0. One too long saturates: the host will say that it is out of range.
static bool whole_number(wq_text t, int64_t *to) {
  bool minus = t.n && *t.p == '-';
  int64_t v = 0;
  if (minus) t.p++, t.n--;
  if (minus && !t.n) return false;
  for (; t.n; t.p++, t.n--) {
    if (*t.p < '0' || *t.p > '9') return false;
    v = v > (INT64_MAX - 9) / 10 ? INT64_MAX : v * 10 + (*t.p - '0');
  }
  *to = minus ? -v : v;
  return true;
}

// --- the queue event -----------------------------------------------------------------------------------------------------------------

// render is the work: a pure function, since a message may come twice.
static bool render(wq_text url) { return text_begins(url, WQ_TEXT("/")) && !text_begins(url, WQ_TEXT("/fail")); }

// backoff is the delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s.
static int64_t backoff(int64_t attempts) {
  int64_t seconds = 15 << (attempts < 4 ? attempts : 4);
  return seconds < 300 ? seconds : 300;
}

static int handle(int64_t index, wq_text message) {
  int64_t attempts = 0;
  whole_number(json_member(message, WQ_TEXT("\"attempts\"")), &attempts);
  wq_text body = json_member(message, WQ_TEXT("\"body\"")), url = json_string(json_member(body, WQ_TEXT("\"url\""))), did;
  if (!text_is(json_member(body, WQ_TEXT("\"version\"")), WQ_TEXT("\"v8\""))) {
    did = WQ_TEXT("skipped"); // another version's
    WQ_TRY(wq_ack(index));
  } else if (text_begins(url, WQ_TEXT("/pass"))) {
    did = WQ_TEXT("passed"); // no mark: done if the event ends well
  } else if (render(url)) {
    did = WQ_TEXT("rendered");
    WQ_TRY(wq_ack(index));
  } else {
    did = WQ_TEXT("retried");
    WQ_TRY(wq_retry(index, backoff(attempts)));
  }
  buffer line = {0};
  add(&line, did), add(&line, WQ_TEXT(" ")), add(&line, json_string(json_member(message, WQ_TEXT("\"id\""))));
  add(&line, WQ_TEXT(" attempts ")), add_number(&line, attempts), add(&line, WQ_TEXT("\n"));
  print(1, line);
  return 0;
}

static int handle_batch(void) {
  wq_text batch, messages, message;
  WQ_TRY(wq_read_batch(&batch));
  messages = json_member(batch, WQ_TEXT("\"messages\""));
  for (int64_t i = 0; json_next(&messages, &message); i++) WQ_TRY(handle(i, message));
  return 0;
}

// --- the fetch event -----------------------------------------------------------------------------------------------------------------

static int answer_error(int32_t status, wq_text error) {
  buffer b = {0};
  add(&b, WQ_TEXT("{\"error\":")), add_json_string(&b, error), add(&b, WQ_TEXT("}"));
  return wq_respond(status, json_headers, (wq_text){b.p, b.n});
}

static int answer_queued(int threw) {
  return threw ? answer_error(400, wq_exception()) : wq_respond(202, json_headers, WQ_TEXT("{\"queued\":true}"));
}

// cut ends t before the first of the stops and returns what comes after it.
static wq_text cut(wq_text *t, const char *stops) {
  size_t i = 0;
  while (i < t->n && !strchr(stops, t->p[i])) i++;
  wq_text after = {t->p + i, t->n - i};
  t->n = i;
  if (after.n) after.p++, after.n--;
  return after;
}

// parameter returns a query parameter as it stands in the URL.
static wq_text parameter(wq_text query, wq_text name_and_equals) {
  while (query.n) {
    wq_text rest = cut(&query, "&");
    if (text_begins(query, name_and_equals)) return (wq_text){query.p + name_and_equals.n, query.n - name_and_equals.n};
    query = rest;
  }
  return query;
}

static int handle_request(void) {
  wq_text request, body;
  WQ_TRY(wq_read_request(&request));
  WQ_TRY(wq_read_body(&body));
  wq_text method = json_string(json_member(request, WQ_TEXT("\"method\""))), url = json_string(json_member(request, WQ_TEXT("\"url\"")));
  cut(&url, "#");
  wq_text query = cut(&url, "?"), path = url;
  for (int slashes = 0; slashes < 3 && path.n; slashes++) path = cut(&path, "/"); // scheme: / / host / path, without its first slash

  if (text_is(method, WQ_TEXT("GET")) && !path.n)
    return wq_respond(200, WQ_TEXT("[[\"content-type\",\"text/plain; charset=utf-8\"]]"),
                      WQ_TEXT("page-render: POST /render {\"kind\":\"page\",\"url\":\"/x\",\"version\":\"v8\"}, POST /render/batch [{\"body\":{}}]\n"));
  if (text_is(method, WQ_TEXT("POST")) && text_is(path, WQ_TEXT("render"))) {
    int64_t delay;
    if (!whole_number(parameter(query, WQ_TEXT("delay=")), &delay)) return answer_error(400, WQ_TEXT("delay is not a whole number"));
    return answer_queued(wq_send(binding, body, delay));
  }
  if (text_is(method, WQ_TEXT("POST")) && text_is(path, WQ_TEXT("render/batch"))) return answer_queued(wq_send_batch(binding, body));
  return answer_error(404, WQ_TEXT("not found"));
}

// --- the entries ---------------------------------------------------------------------------------------------------------------------

// ended makes an exception that nobody handled the event's failure.
static int ended(int threw) {
  if (!threw) return 0;
  buffer line = {0};
  add(&line, wq_exception()), add(&line, WQ_TEXT("\n"));
  print(2, line);
  return 1;
}

WQ_ENTRY(queue) { return ended(handle_batch()); }
WQ_ENTRY(fetch) { return ended(handle_request()); }
