//! Finding values in the JSON the host hands a guest, without copying. That text is valid and canonical: no blanks, and nothing escaped
//! that need not be, so a plain key or value can be compared as it stands. Structure inside strings is never taken for structure.

/// The elements of an array, or an object's keys and values in turn; nothing for another value.
pub fn elements(value: &str) -> Elements {
    Elements(value.strip_prefix(&['[', '{'][..]).unwrap_or(""))
}

pub struct Elements<'a>(&'a str); // from the next element on

impl<'a> Iterator for Elements<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let (value, rest) = self.0.split_at(end(self.0));
        self.0 = rest.strip_prefix(&[',', ':'][..]).unwrap_or("");
        Some(value).filter(|v| !v.is_empty())
    }
}

/// An object's member, or "" if there is none, or no object.
pub fn member<'a>(object: &'a str, key: &str) -> &'a str {
    let mut list = elements(if object.starts_with('{') { object } else { "" });
    while let (Some(k), Some(value)) = (list.next(), list.next()) {
        if text(k) == key {
            return value;
        }
    }
    ""
}

/// A string's text without the quotes, escapes as they stand; "" for another value.
pub fn text(value: &str) -> &str {
    value.strip_prefix('"').and_then(|v| v.strip_suffix('"')).unwrap_or("")
}

/// A string as JSON.
pub fn quote(s: &str) -> String {
    let mut json = String::from("\"");
    for c in s.chars() {
        match c {
            '"' | '\\' => json.extend(['\\', c]),
            '\0'..='\x1f' => json += &format!("\\u{:04x}", c as u32),
            _ => json.push(c),
        }
    }
    json + "\""
}

// The length of the value that text begins with; 0 where none begins.
fn end(text: &str) -> usize {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (i, c) in text.bytes().enumerate() {
        if in_string {
            in_string = escaped || c != b'"';
            escaped = !escaped && c == b'\\';
            continue;
        }
        match c {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b',' | b':' if depth == 0 => return i,
            b']' | b'}' if depth == 0 => return i,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}
