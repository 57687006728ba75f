//! The page-render service as a guest in Zig: it takes jobs over HTTP, puts them into a queue, and handles them when the queue hands them
//! back.
const std = @import("std");
const json = @import("json.zig");
const wazqueue = @import("wazqueue.zig");

const eql = std.mem.eql;
const startsWith = std.mem.startsWith;
const allocPrint = std.fmt.allocPrint;
const gpa = wazqueue.allocator;

const binding = "PAGE_QUEUE";
const version = "v8";
const help = "page-render: POST /render {\"kind\":\"page\",\"url\":\"/x\",\"version\":\"v8\"}, POST /render/batch [{\"body\":{}}]\n";

pub const panic = std.debug.FullPanic(wazqueue.panic);

// The entries have Chinese names here; queue and fetch mean the same.
comptime {
    wazqueue.entry("处理队列批次", handleBatch);
    wazqueue.entry("处理入站网页请求", handleRequest);
}

// --- the queue event -----------------------------------------------------------------------------------------------------------------

/// The work: a pure function, since a message may come twice.
fn render(url: []const u8) ![]const u8 {
    if (!startsWith(u8, url, "/") or startsWith(u8, url, "/fail")) return error.NoSuchPage;
    return allocPrint(gpa, "<!doctype html><title>{s}</title>", .{url});
}

/// The delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s.
fn backoff(attempts: u32) i64 {
    return @min(300, @as(i64, 15) << @min(attempts, 4));
}

fn handle(index: usize, message: []const u8) !void {
    const attempts = std.fmt.parseInt(u32, json.member(message, "attempts"), 10) catch 1;
    const job = json.member(message, "body");
    const url = json.text(json.member(job, "url"));
    var did: []const u8 = "rendered";
    if (!eql(u8, json.text(json.member(job, "version")), version)) {
        did = "skipped"; // another version's
        try wazqueue.ack(index);
    } else if (startsWith(u8, url, "/pass")) {
        did = "passed"; // no mark: done if the event ends well
    } else if (render(url)) |_| {
        try wazqueue.ack(index);
    } else |_| {
        did = "retried";
        try wazqueue.retry(index, backoff(attempts));
    }
    wazqueue.print(1, try allocPrint(gpa, "{s} {s} attempts {d}", .{ did, json.text(json.member(message, "id")), attempts }));
}

fn handleBatch() !void {
    var messages = json.elements(json.member(try wazqueue.readBatch(), "messages"));
    var i: usize = 0;
    while (messages.next()) |message| : (i += 1) try handle(i, message);
}

// --- the fetch event -----------------------------------------------------------------------------------------------------------------

fn answer(status: i32, body: []const u8) !void {
    return wazqueue.respond(status, "[[\"content-type\",\"application/json\"]]", body);
}

fn failure(status: i32, text: []const u8) !void {
    return answer(status, try allocPrint(gpa, "{f}", .{std.json.fmt(.{ .@"error" = text }, .{})}));
}

fn queued(sent: wazqueue.Error!void) !void {
    sent catch return failure(400, wazqueue.exception());
    return answer(202, "{\"queued\":true}");
}

/// An integer, nothing being 0. One too long saturates: the host will say that it is out of range.
fn wholeNumber(s: []const u8) error{InvalidCharacter}!i64 {
    if (s.len == 0) return 0;
    if (std.mem.findAny(u8, s, "+_") != null) return error.InvalidCharacter;
    return std.fmt.parseInt(i64, s, 10) catch |e| switch (e) {
        error.Overflow => if (s[0] == '-') std.math.minInt(i64) else std.math.maxInt(i64),
        error.InvalidCharacter => |invalid| invalid,
    };
}

/// A query parameter as it stands in the URL.
fn parameter(query: []const u8, comptime name: []const u8) []const u8 {
    var pairs = std.mem.splitScalar(u8, query, '&');
    while (pairs.next()) |pair| if (startsWith(u8, pair, name ++ "=")) return pair[name.len + 1 ..];
    return "";
}

fn handleRequest() !void {
    const request = try wazqueue.readRequest();
    const body = try wazqueue.readBody();
    const method = json.text(json.member(request, "method"));
    var url = std.mem.splitScalar(u8, json.text(json.member(request, "url")), '#');
    var parts = std.mem.splitScalar(u8, url.first(), '?');
    var path = std.mem.splitScalar(u8, parts.first(), '/'); // scheme: / / host / path
    for (0..3) |_| _ = path.next();

    if (eql(u8, method, "GET") and eql(u8, path.rest(), "")) {
        return wazqueue.respond(200, "[[\"content-type\",\"text/plain; charset=utf-8\"]]", help);
    }
    if (eql(u8, method, "POST") and eql(u8, path.rest(), "render")) {
        const delay = wholeNumber(parameter(parts.rest(), "delay")) catch return failure(400, "delay is not a whole number");
        return queued(wazqueue.send(binding, body, delay));
    }
    if (eql(u8, method, "POST") and eql(u8, path.rest(), "render/batch")) return queued(wazqueue.sendBatch(binding, body));
    return failure(404, "not found");
}
