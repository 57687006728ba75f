// The binding a C guest uses: the host functions, with text as pointer and length, and exceptions as a return code.
//
//   if (wq_send(WQ_TEXT("PAGE_QUEUE"), body, 30)) puts_text(wq_exception());   handle it here
//   WQ_TRY(wq_ack(0));                                                         or let the event fail
//
// Every call returns 0, or 1 when the host threw an exception; wq_exception() is its text then, in Chinese. An abort (a binding that
// is not permitted, for one) is no exception: it ends the event and the call does not return.
#pragma once
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  const char *p;
  size_t n;
} wq_text; // UTF-8, no zero at the end

#define WQ_TEXT(literal) ((wq_text){literal, sizeof(literal) - 1})
#define WQ_TRY(call) do { if (call) return 1; } while (0)

// An entry: WQ_ENTRY(queue) { … return 0; }. A result other than 0 makes the event fail.
// WQ_ENTRY_AS("处理队列批次", f) exports f under any name.
#define WQ_ENTRY(name) WQ_ENTRY_AS(#name, name)
#define WQ_ENTRY_AS(exported, name) __attribute__((export_name(exported))) int name(void)

// --- the host functions as they are --------------------------------------------------------------------------------------------------
// Each has an ASCII name too, in the module "wazqueue", with the same parameters: send, send_batch, read_batch, ack, retry, event_kind,
// read_request, read_body, respond, exception_message.

#define WQ_HOST(module, name) __attribute__((import_module(module), import_name(name))) extern
WQ_HOST("消息队列", "发送队列消息")
int32_t wq_host_send(const char *binding, size_t bn, const char *body, size_t n, int64_t delay);
WQ_HOST("消息队列", "批量发送队列消息")
int32_t wq_host_send_batch(const char *binding, size_t bn, const char *messages, size_t n);
WQ_HOST("消息队列", "读取队列批次") int32_t wq_host_read_batch(char *buf, size_t limit);
WQ_HOST("消息队列", "确认队列消息") int32_t wq_host_ack(int64_t index);
WQ_HOST("消息队列", "重试队列消息") int32_t wq_host_retry(int64_t index, int64_t delay);
WQ_HOST("网页入站", "读取入站事件种类") int32_t wq_host_event_kind(char *buf, size_t limit);
WQ_HOST("网页入站", "读取入站请求") int32_t wq_host_read_request(char *buf, size_t limit);
WQ_HOST("网页入站", "读取入站正文") int32_t wq_host_read_body(char *buf, size_t limit);
WQ_HOST("网页入站", "答复入站请求")
int32_t wq_host_respond(int32_t status, const char *headers, size_t hn, const char *body, size_t n);
WQ_HOST("豫言异常", "读取异常消息") int32_t wq_host_exception(char *buf, size_t limit);

// --- the calls -----------------------------------------------------------------------------------------------------------------------

// wq_read_ calls a function that writes into the caller's buffer: once with a buffer that is mostly large enough, again when the value
// turns out longer. The memory is never freed: an instance lives for one event.
static inline int wq_read_(int32_t (*host)(char *, size_t), wq_text *to) {
  for (size_t limit = 1024;;) {
    char *buf = malloc(limit);
    if (!buf) abort();
    int32_t n = host(buf, limit);
    if (n < 0) return 1;
    *to = (wq_text){buf, (size_t)n};
    if ((size_t)n <= limit) return 0;
    free(buf);
    limit = n;
  }
}

// The text of the last exception.
static inline wq_text wq_exception(void) {
  wq_text t = {"", 0};
  wq_read_(wq_host_exception, &t);
  return t;
}

// One message, any JSON value; it is delivered after delay seconds, 0 to 43200.
static inline int wq_send(wq_text binding, wq_text body, int64_t delay) {
  return wq_host_send(binding.p, binding.n, body.p, body.n, delay);
}

// Up to 100 messages, all or none: a JSON array of {"body":…,"delaySeconds":…}, the delay optional.
static inline int wq_send_batch(wq_text binding, wq_text messages) {
  return wq_host_send_batch(binding.p, binding.n, messages.p, messages.n);
}

// {"queue":"…","messages":[{"id":"…","attempts":1,"timestamp":1700000000000,"body":…},…]}; a message's place is its index, from 0.
static inline int wq_read_batch(wq_text *batch) { return wq_read_(wq_host_read_batch, batch); }

// The message is done, whatever becomes of the event.
static inline int wq_ack(int64_t index) { return wq_host_ack(index); }

// The message comes again after delay seconds; 0 means the queue's own retry delay.
static inline int wq_retry(int64_t index, int64_t delay) { return wq_host_retry(index, delay); }

// "queue", "fetch" or an embedder's own.
static inline int wq_event_kind(wq_text *kind) { return wq_read_(wq_host_event_kind, kind); }

// {"method":"…","url":"…","headers":[["name","value"],…]}; the URL is absolute, header names are lower case.
static inline int wq_read_request(wq_text *request) { return wq_read_(wq_host_read_request, request); }

static inline int wq_read_body(wq_text *body) { return wq_read_(wq_host_read_body, body); }

// The answer, once; headers are a JSON array [["name","value"],…]. It is sent when the event has ended well.
static inline int wq_respond(int32_t status, wq_text headers, wq_text body) {
  return wq_host_respond(status, headers.p, headers.n, body.p, body.n);
}
