// Requests and responses: what of the Fetch standard needs no network.

class Headers {
  #lines = []; // a name in lower case, its value, the next name and so on
  constructor(init) {
    if (init === undefined || init === null) return;
    if (typeof init[Symbol.iterator] === "function") {
      for (const line of init) this.append(line[0], line[1]);
    } else {
      for (const name of Object.keys(init)) this.append(name, init[name]);
    }
  }
  append(name, value) {
    this.#lines.push(String(name).toLowerCase(), String(value));
  }
  set(name, value) {
    this.delete(name);
    this.append(name, value);
  }
  #values(name) {
    name = String(name).toLowerCase();
    return this.#lines.filter((_, i, lines) => i % 2 === 1 && lines[i - 1] === name);
  }
  delete(name) {
    name = String(name).toLowerCase();
    this.#lines = this.#lines.filter((_, i, lines) => lines[i - (i % 2)] !== name);
  }
  get(name) {
    const values = this.#values(name);
    return values.length === 0 ? null : values.join(", ");
  }
  has(name) {
    return this.#values(name).length > 0;
  }
  getSetCookie() {
    return this.#values("set-cookie");
  }
  *[Symbol.iterator]() {
    for (let i = 0; i < this.#lines.length; i += 2) yield [this.#lines[i], this.#lines[i + 1]];
  }
  entries() {
    return this[Symbol.iterator]();
  }
  *keys() {
    for (const line of this) yield line[0];
  }
  *values() {
    for (const line of this) yield line[1];
  }
  forEach(visit) {
    for (const line of this) visit(line[1], line[0], this);
  }
  static lines(headers) {
    return headers.#lines;
  }
}
const { lines } = Headers;
delete Headers.lines;

class Request {
  #inbound;
  #headers;
  #used = false;
  get #head() {
    return (this.#inbound ??= mustHave(host.request()));
  }
  get method() {
    return this.#head.method;
  }
  get url() {
    return this.#head.url;
  }
  get headers() {
    return (this.#headers ??= new Headers(this.#head.headers));
  }
  get bodyUsed() {
    return this.#used;
  }
  #use() {
    if (this.#used) throw new TypeError("the request's body has been read already");
    this.#used = true;
  }
  async text() {
    this.#use();
    return mustHave(host.read_body());
  }
  async json() {
    return JSON.parse(await this.text());
  }
  async bytes() {
    this.#use();
    return mustHave(host.read_bytes());
  }
  async arrayBuffer() {
    return (await this.bytes()).buffer;
  }
}
const request = new Request();

class Response {
  #body;
  #headers; // not there while nobody has asked for them
  #type = "";
  constructor(body = null, init) {
    this.status = init?.status ?? 200;
    if (typeof body === "string") {
      this.#body = body;
      this.#type = "text/plain;charset=UTF-8";
    } else {
      this.#body = body === null ? "" : bytes(body);
    }
    if (init?.headers !== undefined) this.#headers = this.#complete(new Headers(init.headers));
  }
  #complete(headers) {
    if (this.#type !== "" && !headers.has("content-type")) headers.append("content-type", this.#type);
    return headers;
  }
  get headers() {
    return (this.#headers ??= this.#complete(new Headers()));
  }
  get ok() {
    return this.status >= 200 && this.status < 300;
  }
  static json(value, init) {
    const response = new Response(null, init);
    response.#body = JSON.stringify(value);
    response.#type = "application/json";
    if (response.#headers !== undefined) response.#complete(response.#headers);
    return response;
  }
  static redirect(url, status = 302) {
    return new Response(null, { status, headers: { location: url } });
  }
  static respond(response) {
    const body = response.#body;
    let list = [];
    if (response.#headers !== undefined) list = lines(response.#headers);
    else if (response.#type !== "") list = ["content-type", response.#type];
    // Between them stand zeros, which no header may have: their number tells.
    must(host.answer(integer(response.status), list.length, list.join("\0"), typeof body === "string" ? body.toWellFormed() : body));
  }
}
const { respond } = Response;
delete Response.respond;

globals({ Headers, Request, Response });
