//! Finding values in the JSON the host hands a guest, without copying. That text is valid and canonical: no blanks, and nothing escaped
//! that need not be, so a plain key or value can be compared as it stands. Structure inside strings is never taken for structure.
const std = @import("std");

/// Steps through the elements of an array, or an object's keys and values in turn; nothing for another value.
pub fn elements(value: []const u8) Elements {
    const has = value.len > 0 and (value[0] == '[' or value[0] == '{');
    return .{ .rest = if (has) value[1..] else "" };
}

pub const Elements = struct {
    rest: []const u8, // from the next element on

    pub fn next(self: *Elements) ?[]const u8 {
        const n = end(self.rest);
        if (n == 0) return null;
        defer self.rest = self.rest[@min(n + 1, self.rest.len)..]; // and what separates it from the next
        return self.rest[0..n];
    }
};

/// An object's member, or "" if there is none, or no object.
pub fn member(object: []const u8, key: []const u8) []const u8 {
    if (!std.mem.startsWith(u8, object, "{")) return "";
    var list = elements(object);
    while (list.next()) |k| {
        const value = list.next() orelse break;
        if (std.mem.eql(u8, text(k), key)) return value;
    }
    return "";
}

/// A string's text without the quotes, escapes as they stand; "" for another value.
pub fn text(value: []const u8) []const u8 {
    if (value.len < 2 or value[0] != '"') return "";
    return value[1 .. value.len - 1];
}

/// The length of the value that s begins with; 0 where none begins.
fn end(s: []const u8) usize {
    var depth: usize = 0;
    var in_string = false;
    var escaped = false;
    for (s, 0..) |c, i| {
        if (in_string) {
            in_string = escaped or c != '"';
            escaped = !escaped and c == '\\';
        } else switch (c) {
            '"' => in_string = true,
            '[', '{' => depth += 1,
            ',', ':' => if (depth == 0) return i,
            ']', '}' => if (depth == 0) return i else {
                depth -= 1;
            },
            else => {},
        }
    }
    return s.len;
}
