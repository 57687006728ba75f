// URL and URLSearchParams, as far as a request's URL needs them: URLs are
// absolute or below a base, are not normalised, and cannot be changed.

const decoded = (text) => {
  text = text.replaceAll("+", " ");
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const encoded = (text) => encodeURIComponent(text).replaceAll("%20", "+");

class URLSearchParams {
  #pairs = [];
  constructor(init = "") {
    if (typeof init === "object") {
      const pairs = typeof init[Symbol.iterator] === "function" ? init : Object.entries(init);
      for (const pair of pairs) this.append(pair[0], pair[1]);
      return;
    }
    for (const part of String(init).replace(/^\?/, "").split("&")) {
      if (part === "") continue;
      const at = part.indexOf("=");
      this.append(decoded(at < 0 ? part : part.slice(0, at)), decoded(at < 0 ? "" : part.slice(at + 1)));
    }
  }
  append(name, value) {
    this.#pairs.push([String(name), String(value)]);
  }
  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }
  delete(name) {
    this.#pairs = this.#pairs.filter((pair) => pair[0] !== String(name));
  }
  getAll(name) {
    return this.#pairs.filter((pair) => pair[0] === String(name)).map((pair) => pair[1]);
  }
  get(name) {
    return this.getAll(name)[0] ?? null;
  }
  has(name) {
    return this.getAll(name).length > 0;
  }
  get size() {
    return this.#pairs.length;
  }
  *[Symbol.iterator]() {
    for (const pair of this.#pairs) yield [pair[0], pair[1]];
  }
  entries() {
    return this[Symbol.iterator]();
  }
  *keys() {
    for (const pair of this) yield pair[0];
  }
  *values() {
    for (const pair of this) yield pair[1];
  }
  forEach(visit) {
    for (const pair of this) visit(pair[1], pair[0], this);
  }
  toString() {
    return this.#pairs.map((pair) => `${encoded(pair[0])}=${encoded(pair[1])}`).join("&");
  }
}

class URL {
  #parts;
  #params;
  constructor(url, base) {
    url = String(url);
    if (base !== undefined && !/^[a-z][a-z0-9+.-]*:/i.test(url)) {
      const { origin, pathname } = new URL(base);
      url = origin + (url.startsWith("/") ? url : pathname.slice(0, pathname.lastIndexOf("/") + 1) + url);
    }
    const parts = /^([a-z][a-z0-9+.-]*:)\/\/(\[[^\]]+\]|[^/?#:@]+)(?::(\d*))?([^?#]*)(\?[^#]*)?(#.*)?$/is.exec(url);
    if (parts === null) throw new TypeError(`Invalid URL: ${url}`);
    this.#parts = parts;
  }
  get protocol() {
    return this.#parts[1].toLowerCase();
  }
  get hostname() {
    return this.#parts[2].toLowerCase();
  }
  get port() {
    const port = this.#parts[3] ?? "";
    return { "http:": "80", "https:": "443" }[this.protocol] === port ? "" : port;
  }
  get host() {
    return this.port === "" ? this.hostname : `${this.hostname}:${this.port}`;
  }
  get origin() {
    return `${this.protocol}//${this.host}`;
  }
  get pathname() {
    return this.#parts[4] || "/";
  }
  get search() {
    return this.#parts[5] === "?" ? "" : (this.#parts[5] ?? "");
  }
  get hash() {
    return this.#parts[6] === "#" ? "" : (this.#parts[6] ?? "");
  }
  get searchParams() {
    return (this.#params ??= new URLSearchParams(this.search));
  }
  get href() {
    return this.origin + this.pathname + this.search + this.hash;
  }
  toString() {
    return this.href;
  }
  toJSON() {
    return this.href;
  }
}

globals({ URL, URLSearchParams });
