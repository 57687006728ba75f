// The host functions of ABI version 1, each imported under both of its names: zh_x is the Chinese name, en_x the ASCII one.
// The probe calls them raw, without the comforts of guest-examples/c/wazqueue.h.
#pragma once
#include <stdint.h>

typedef uint8_t u8;
typedef uint32_t u32;
typedef int32_t i32;
typedef int64_t i64;

#define HOST(result, name, module, chinese, ascii, ...)                                                       \
  __attribute__((import_module(module), import_name(chinese))) extern result zh_##name(__VA_ARGS__);          \
  __attribute__((import_module("wazqueue"), import_name(ascii))) extern result en_##name(__VA_ARGS__)

HOST(i32, send, "消息队列", "发送队列消息", "send", u32 bp, u32 bl, u32 mp, u32 ml, i64 delay);
HOST(i32, batch, "消息队列", "批量发送队列消息", "send_batch", u32 bp, u32 bl, u32 mp, u32 ml);
HOST(i32, read, "消息队列", "读取队列批次", "read_batch", u32 buf, u32 limit);
HOST(i32, ack, "消息队列", "确认队列消息", "ack", i64 index);
HOST(i32, retry, "消息队列", "重试队列消息", "retry", i64 index, i64 delay);
HOST(i32, kind, "网页入站", "读取入站事件种类", "event_kind", u32 buf, u32 limit);
HOST(i32, request, "网页入站", "读取入站请求", "read_request", u32 buf, u32 limit);
HOST(i32, body, "网页入站", "读取入站正文", "read_body", u32 buf, u32 limit);
HOST(i32, respond, "网页入站", "答复入站请求", "respond", i32 status, u32 hp, u32 hl, u32 bp, u32 bl);
HOST(i32, exception, "豫言异常", "读取异常消息", "exception_message", u32 buf, u32 limit);

// FN picks the function by the name set the current script line asks for.
#define FN(name) (ascii ? en_##name : zh_##name)
