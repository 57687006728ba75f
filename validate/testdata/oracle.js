'use strict';
// The rules of the package once more, written independently of it around V8's
// own JSON, as the oracle of the differential test.
//
// Requests and answers are frames of a 4-byte little-endian length and that
// many bytes. A request is an operation and its text:
//
//   C <levels> <text>   Canonical
//   B <text>            Body
//   A <text>            Batch
//   S <text>            AppendString
//
// An answer is the name of an error, or nothing, a line feed, and the result: the
// canonical text, for a batch the JSON text [[delay, body], ...].
const fs = require('fs');

const TOKENS = new Set(['$句柄', '$未定义', '$大整数', '$数字']);
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Violation {
  constructor(name) { this.name = name; }
}
function fail(name) { throw new Violation(name); }

function decode(bytes) {
  try { return decoder.decode(bytes); } catch { fail('Syntax'); }
}

class Reader {
  constructor(bytes) { this.bytes = bytes; this.at = 0; }
  peek() { return this.at < this.bytes.length ? String.fromCharCode(this.bytes[this.at]) : ''; }
  blanks() { while (this.peek() !== '' && ' \t\r\n'.includes(this.peek())) this.at++; }
  eat(c) { if (this.peek() !== c) fail('Syntax'); this.at++; }
  beginsValue() { return this.peek() !== '' && '{["-0123456789tfn'.includes(this.peek()); }

  // must fails, for another kind of value by the given name.
  must(c, name) {
    if (this.peek() !== c) fail(this.beginsValue() ? name : 'Syntax');
    this.at++;
  }

  digits() {
    const from = this.at;
    while (/[0-9]/.test(this.peek())) this.at++;
    if (this.at === from) fail('Syntax');
  }

  // number passes a number, whatever its size, and gives its value.
  number() {
    const from = this.at;
    if (this.peek() === '-') this.at++;
    if (this.peek() === '0') this.at++; else this.digits();
    if (this.peek() === '.') { this.at++; this.digits(); }
    if (/[eE]/.test(this.peek())) {
      this.at++;
      if (/[+-]/.test(this.peek())) this.at++;
      this.digits();
    }
    return Number(this.bytes.toString('latin1', from, this.at));
  }

  string() {
    const from = this.at;
    this.eat('"');
    while (this.peek() !== '"') {
      if (this.peek() < ' ') fail('Syntax'); // the end too
      if (this.peek() === '\\') this.at++;
      this.at++;
    }
    this.at++;
    try { return JSON.parse(decode(this.bytes.subarray(from, this.at))); } catch { fail('Syntax'); }
  }

  key() {
    const name = this.string();
    if (TOKENS.has(name)) fail('Token');
    return name;
  }

  list(open, close, element) {
    this.eat(open);
    this.blanks();
    if (this.peek() !== close) {
      for (;;) {
        element();
        this.blanks();
        if (this.peek() !== ',') break;
        this.at++;
        this.blanks();
      }
    }
    this.eat(close);
  }

  value(levels) {
    this.blanks();
    switch (this.peek()) {
      case '[':
        if (levels === 0) fail('Depth');
        return this.list('[', ']', () => this.value(levels - 1));
      case '{':
        if (levels === 0) fail('Depth');
        return this.list('{', '}', () => {
          this.key();
          this.blanks();
          this.eat(':');
          this.value(levels - 1);
        });
      case '"': this.string(); return;
      case 't': for (const c of 'true') this.eat(c); return;
      case 'f': for (const c of 'false') this.eat(c); return;
      case 'n': for (const c of 'null') this.eat(c); return;
    }
    if (!Number.isFinite(this.number())) fail('Token');
  }

  // canonical passes a value and gives its canonical form.
  canonical(levels) {
    const from = this.at;
    this.value(levels);
    return JSON.stringify(JSON.parse(decode(this.bytes.subarray(from, this.at))));
  }

  end() {
    this.blanks();
    if (this.at < this.bytes.length) fail('Syntax');
  }
}

function canonical(bytes, levels) {
  const r = new Reader(bytes);
  const text = r.canonical(levels);
  r.end();
  return text;
}

function body(bytes) {
  if (bytes.length > 128000) fail('BodyTooLarge');
  const r = new Reader(bytes);
  const text = r.canonical(24);
  if (Buffer.byteLength(text) > 128000) fail('BodyTooLarge');
  r.end();
  return text;
}

function batch(bytes) {
  if (bytes.length > 1048576) fail('BatchTooLarge');
  const r = new Reader(bytes);
  const messages = [];
  let total = 0;
  r.blanks();
  r.must('[', 'NotArray');
  r.at--;
  r.list('[', ']', () => {
    if (messages.length === 100) fail(r.beginsValue() ? 'TooLong' : 'Syntax');
    r.must('{', 'NotObject');
    r.at--;
    const item = {};
    let size = 0;
    r.list('{', '}', () => {
      const name = r.key();
      if (name !== 'body' && name !== 'delaySeconds') fail('Field');
      r.blanks();
      r.eat(':');
      r.blanks();
      if (name === 'body') {
        item.body = r.canonical(24);
        size = Buffer.byteLength(item.body);
        if (size > 128000) fail('OneTooLarge');
        if (total + size > 256000) fail('AllTooLarge');
        return;
      }
      if (!/[-0-9]/.test(r.peek())) fail(r.beginsValue() ? 'Delay' : 'Syntax');
      item.delay = r.number();
      if (!Number.isInteger(item.delay) || item.delay < 0 || item.delay > 43200) fail('Delay');
    });
    if (item.body === undefined) fail('NoBody');
    total += size;
    messages.push([item.delay ?? 0, item.body]);
  });
  if (messages.length === 0) fail('Empty');
  r.end();
  return JSON.stringify(messages);
}

const operations = {
  C: (bytes) => canonical(bytes.subarray(1), bytes[0]),
  B: body,
  A: batch,
  S: (bytes) => JSON.stringify(decode(bytes)),
};

// check holds the scanner above against V8: on a whole text the two must agree
// about what is JSON.
function check(bytes, error) {
  let valid = true;
  try { JSON.parse(decoder.decode(bytes)); } catch { valid = false; }
  if (valid ? error === 'Syntax' : error === '') return 'the oracle contradicts itself';
  return error;
}

function answer(frame) {
  const op = String.fromCharCode(frame[0]);
  let error = '';
  let result = '';
  try {
    result = operations[op](frame.subarray(1));
  } catch (e) {
    if (!(e instanceof Violation)) throw e;
    error = e.name;
  }
  if (op !== 'S') error = check(frame.subarray(op === 'C' ? 2 : 1), error);
  return Buffer.from(error + '\n' + result);
}

let input = Buffer.alloc(0);
function read(n) {
  const parts = [input];
  let have = input.length;
  while (have < n) {
    const part = Buffer.alloc(1 << 16);
    const got = fs.readSync(0, part, 0, part.length, null);
    if (got === 0) process.exit(0);
    parts.push(part.subarray(0, got));
    have += got;
  }
  input = parts.length > 1 ? Buffer.concat(parts) : input;
  const bytes = input.subarray(0, n);
  input = input.subarray(n);
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length;) at += fs.writeSync(1, bytes, at);
}

// A batch of requests: their number, then the frames.
for (;;) {
  const out = [];
  for (let n = read(4).readUInt32LE(0); n > 0; n--) {
    const bytes = answer(read(read(4).readUInt32LE(0)));
    const head = Buffer.alloc(4);
    head.writeUInt32LE(bytes.length, 0);
    out.push(head, bytes);
  }
  write(Buffer.concat(out));
}
