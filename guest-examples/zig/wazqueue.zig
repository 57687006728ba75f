//! The binding a Zig guest uses: the host functions with Zig types, and their exceptions as errors. Copy it.
//!
//!     try wazqueue.send("PAGE_QUEUE", body, 30);                             // the caller's business; at last the event fails
//!     wazqueue.send("PAGE_QUEUE", body, 30) catch say(wazqueue.exception()); // or handle it here
//!
//! An abort (a binding that is not permitted, for one) is no exception: it ends the event and the call does not return.
const std = @import("std");

/// The host threw; exception() is its text.
pub const Error = error{Exception};

/// For whatever lives as long as the event. Nothing has to be freed: the instance does not live longer.
pub const allocator = std.heap.wasm_allocator;

/// The text of the last exception, a fixed one, in Chinese.
pub fn exception() []const u8 {
    return read(host.@"读取异常消息") catch "";
}

/// Sends one message, any JSON value; it is delivered after delay seconds, 0 to 43200.
pub fn send(binding: []const u8, body: []const u8, delay: i64) Error!void {
    return check(host.@"发送队列消息"(binding.ptr, binding.len, body.ptr, body.len, delay));
}

/// Sends up to 100 messages, all or none: a JSON array of {"body":…,"delaySeconds":…}, the delay optional.
pub fn sendBatch(binding: []const u8, messages: []const u8) Error!void {
    return check(host.@"批量发送队列消息"(binding.ptr, binding.len, messages.ptr, messages.len));
}

/// {"queue":"…","messages":[{"id":"…","attempts":1,"timestamp":1700000000000,"body":…},…]}; a message's place is its index.
pub fn readBatch() Error![]const u8 {
    return read(host.@"读取队列批次");
}

/// The message is done, whatever becomes of the event.
pub fn ack(index: usize) Error!void {
    return check(host.@"确认队列消息"(index));
}

/// The message comes again after delay seconds, 0 meaning the queue's own retry delay.
pub fn retry(index: usize, delay: i64) Error!void {
    return check(host.@"重试队列消息"(index, delay));
}

/// "queue", "fetch" or an embedder's own.
pub fn eventKind() Error![]const u8 {
    return read(host.@"读取入站事件种类");
}

/// {"method":"…","url":"…","headers":[["name","value"],…]}; the URL is absolute, header names are lower case.
pub fn readRequest() Error![]const u8 {
    return read(host.@"读取入站请求");
}

pub fn readBody() Error![]const u8 {
    return read(host.@"读取入站正文");
}

/// Gives the answer, once; headers are a JSON array [["name","value"],…]. It is sent when the event has ended well.
pub fn respond(status: i32, headers: []const u8, body: []const u8) Error!void {
    return check(host.@"答复入站请求"(status, headers.ptr, headers.len, body.ptr, body.len));
}

/// Exports a function as the entry of that name. An error it returns goes to stderr and fails the event.
pub fn entry(comptime name: []const u8, comptime function: fn () anyerror!void) void {
    const exported = struct {
        fn call() callconv(.c) i32 {
            function() catch |e| {
                print(2, if (e == error.Exception) exception() else @errorName(e));
                return 1;
            };
            return 0;
        }
    };
    @export(&exported.call, .{ .name = name });
}

/// Writes a line to stdout (1) or stderr (2).
pub fn print(fd: i32, line: []const u8) void {
    for ([_][]const u8{ line, "\n" }) |part| {
        var rest = part;
        while (rest.len > 0) {
            var n: usize = 0;
            const vector = std.os.wasi.ciovec_t{ .base = rest.ptr, .len = rest.len };
            if (std.os.wasi.fd_write(fd, @ptrCast(&vector), 1, &n) != .SUCCESS) return; // the host takes no more output
            rest = rest[n..];
        }
    }
}

/// A root file's `pub const panic = std.debug.FullPanic(wazqueue.panic);` makes a panic say why before it ends the event.
pub fn panic(message: []const u8, _: ?usize) noreturn {
    print(2, message);
    @trap();
}

fn check(status: i32) Error!void {
    if (status != 0) return error.Exception;
}

// Calls a function that writes into the caller's buffer: once with a buffer that is mostly large enough, again when the value turns out
// longer.
fn read(from: *const fn (buf: [*]u8, limit: usize) callconv(.c) i32) Error![]const u8 {
    var limit: usize = 1024;
    while (true) {
        const buf = allocator.alloc(u8, limit) catch @panic("out of memory");
        const length = from(buf.ptr, buf.len);
        if (length < 0) return error.Exception;
        const n: usize = @intCast(length);
        if (n <= limit) return buf[0..n];
        limit = n;
    }
}

// The host functions under their own names. Each has an ASCII name too, in the module "wazqueue", with the same parameters.
const host = struct {
    extern "消息队列" fn @"发送队列消息"(binding: [*]const u8, bn: usize, body: [*]const u8, n: usize, delay: i64) i32;
    extern "消息队列" fn @"批量发送队列消息"(binding: [*]const u8, bn: usize, messages: [*]const u8, n: usize) i32;
    extern "消息队列" fn @"读取队列批次"(buf: [*]u8, limit: usize) i32;
    extern "消息队列" fn @"确认队列消息"(index: i64) i32;
    extern "消息队列" fn @"重试队列消息"(index: i64, delay: i64) i32;
    extern "网页入站" fn @"读取入站事件种类"(buf: [*]u8, limit: usize) i32;
    extern "网页入站" fn @"读取入站请求"(buf: [*]u8, limit: usize) i32;
    extern "网页入站" fn @"读取入站正文"(buf: [*]u8, limit: usize) i32;
    extern "网页入站" fn @"答复入站请求"(status: i32, headers: [*]const u8, hn: usize, body: [*]const u8, n: usize) i32;
    extern "豫言异常" fn @"读取异常消息"(buf: [*]u8, limit: usize) i32;
};
