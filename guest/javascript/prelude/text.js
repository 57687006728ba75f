// What a script is told of exceptions, and UTF-8.

// must throws what the host has thrown.
const must = (status) => {
  if (status !== 0) throw new Error(host.exception_message());
};

const mustHave = (value) => {
  if (value === null) throw new Error(host.exception_message());
  return value;
};

// describe says what was thrown: its message and stack, and a few of its causes.
const describe = (thrown, causes = 4) => {
  try {
    if (!(thrown instanceof Error)) return `${show(thrown)} was thrown`;
    const stack = typeof thrown.stack === "string" ? thrown.stack.trimEnd() : "";
    const text = stack === "" ? String(thrown) : `${thrown}\n${stack}`;
    if (thrown.cause === undefined || causes === 0) return text;
    return `${text}\nCaused by: ${describe(thrown.cause, causes - 1)}`;
  } catch {
    return "something was thrown that cannot be shown";
  }
};

// show is a value as a line of text.
const show = (value) => {
  switch (typeof value) {
    case "string":
      return value;
    case "bigint":
      return `${value}n`;
    case "object":
      if (value === null) return "null";
      if (value instanceof Error) return describe(value);
      try {
        return JSON.stringify(value) ?? String(value);
      } catch {
        return Object.prototype.toString.call(value);
      }
  }
  return String(value);
};

// bytes is a view of binary data, or the text of anything else.
const bytes = (value) => {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return String(value);
};

const globals = (members) => {
  for (const name of Object.keys(members)) {
    Object.defineProperty(globalThis, name, { value: members[name], writable: true, configurable: true });
  }
};

class TextEncoder {
  get encoding() {
    return "utf-8";
  }
  encode(text = "") {
    return host.encode(String(text).toWellFormed());
  }
}

class TextDecoder {
  constructor(label = "utf-8") {
    if (!/^(unicode-1-1-)?utf-?8$/i.test(label)) throw new RangeError(`TextDecoder knows utf-8 only, not ${label}`);
  }
  get encoding() {
    return "utf-8";
  }
  decode(data) {
    return data === undefined ? "" : host.decode(bytes(data));
  }
}

globals({ TextEncoder, TextDecoder });
