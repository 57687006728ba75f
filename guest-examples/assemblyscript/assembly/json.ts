// Finding values in the JSON the host hands a guest. That text is valid and canonical: no blanks, and nothing escaped that need not be,
// so a plain key or value can be compared as it stands. Structure inside strings is never taken for structure.

const QUOTE: i32 = 0x22;
const BACKSLASH: i32 = 0x5c;

function opens(c: i32): bool {
  return c == 0x5b || c == 0x7b; // [ {
}

function closes(c: i32): bool {
  return c == 0x5d || c == 0x7d; // ] }
}

function separates(c: i32): bool {
  return c == 0x2c || c == 0x3a; // , :
}

/** The end of the value that begins at p. */
function skip(text: string, p: i32): i32 {
  const end = text.length;
  let depth = 0;
  while (p < end) {
    const c = text.charCodeAt(p++);
    if (c == QUOTE) {
      while (p < end && text.charCodeAt(p) != QUOTE) p += text.charCodeAt(p) == BACKSLASH ? 2 : 1;
      p++;
    } else if (opens(c)) depth++;
    else if (closes(c)) depth--;
    else if (!separates(c)) {
      while (p < end && !separates(text.charCodeAt(p)) && !closes(text.charCodeAt(p))) p++;
    }
    if (depth <= 0) break;
  }
  return min(p, end);
}

/** The elements of an array, or an object's keys and values in turn; nothing for other values. */
export function elements(value: string): string[] {
  const list: string[] = [];
  if (value.length == 0 || !opens(value.charCodeAt(0))) return list;
  let p = 1;
  while (p < value.length && !closes(value.charCodeAt(p))) {
    const end = skip(value, p);
    list.push(value.substring(p, end));
    p = end;
    if (p < value.length && separates(value.charCodeAt(p))) p++;
  }
  return list;
}

/** An object's member, or "" if there is none, or no object. */
export function member(object: string, key: string): string {
  if (!object.startsWith("{")) return "";
  const list = elements(object);
  for (let i = 0; i + 1 < list.length; i += 2) {
    if (list[i] == '"' + key + '"') return list[i + 1];
  }
  return "";
}

/** A string's text without the quotes, escapes as they stand; "" for another value. */
export function text(value: string): string {
  return value.startsWith('"') ? value.substring(1, value.length - 1) : "";
}

/** A string as JSON. */
export function quote(s: string): string {
  let json = '"';
  for (let i = 0; i < s.length; i++) {
    const c = s.charCodeAt(i);
    if (c < 0x20) json += "\\u00" + (c < 0x10 ? "0" : "1") + "0123456789abcdef".charAt(c & 15);
    else if (c == QUOTE || c == BACKSLASH) json += "\\" + s.charAt(i);
    else json += s.charAt(i);
  }
  return json + '"';
}
