// The binding an AssemblyScript guest uses.
//
// AssemblyScript can throw but not catch: a throw ends the event. So each call that can meet an exception of the host comes twice:
//
//   if (!send("PAGE_QUEUE", body, 30)) print(lastError()); // false or null: thrown; lastError() is the text, in Chinese
//   must(send("PAGE_QUEUE", body, 30));                    // or let the event fail, with that text on stderr
//
// An abort of the host (a binding that is not permitted, for one) is no exception: the call does not return.
// Build with --use abort=PATH/wazqueue/abort, so that a throw writes its message to stderr before it traps.

// The host functions under their own names. Each has an ASCII name too, in the module "wazqueue", with the same parameters:
// @external("wazqueue", "send"), and so on.
// @ts-ignore: decorator
@external("消息队列", "发送队列消息")
declare function hostSend(binding: usize, bn: i32, body: usize, n: i32, delay: i64): i32;
// @ts-ignore: decorator
@external("消息队列", "批量发送队列消息")
declare function hostSendBatch(binding: usize, bn: i32, messages: usize, n: i32): i32;
// @ts-ignore: decorator
@external("消息队列", "读取队列批次")
declare function hostReadBatch(buf: usize, limit: i32): i32;
// @ts-ignore: decorator
@external("消息队列", "确认队列消息")
declare function hostAck(index: i64): i32;
// @ts-ignore: decorator
@external("消息队列", "重试队列消息")
declare function hostRetry(index: i64, delay: i64): i32;
// @ts-ignore: decorator
@external("网页入站", "读取入站事件种类")
declare function hostEventKind(buf: usize, limit: i32): i32;
// @ts-ignore: decorator
@external("网页入站", "读取入站请求")
declare function hostReadRequest(buf: usize, limit: i32): i32;
// @ts-ignore: decorator
@external("网页入站", "读取入站正文")
declare function hostReadBody(buf: usize, limit: i32): i32;
// @ts-ignore: decorator
@external("网页入站", "答复入站请求")
declare function hostRespond(status: i32, headers: usize, hn: i32, body: usize, n: i32): i32;
// @ts-ignore: decorator
@external("豫言异常", "读取异常消息")
declare function hostException(buf: usize, limit: i32): i32;
// @ts-ignore: decorator
@external("wasi_snapshot_preview1", "fd_write")
declare function fdWrite(fd: i32, vectors: usize, count: i32, written: usize): i32;

// read calls a function that writes into the caller's buffer: once with a buffer that is mostly large enough, again when the value turns
// out longer. null: an exception.
function read(host: (buf: usize, limit: i32) => i32): ArrayBuffer | null {
  let limit = 1024;
  while (true) {
    const buf = new ArrayBuffer(limit);
    const n = host(changetype<usize>(buf), limit);
    if (n < 0) return null;
    if (n <= limit) return buf.slice(0, n);
    limit = n;
  }
}

function readText(host: (buf: usize, limit: i32) => i32): string | null {
  const bytes = read(host);
  return bytes === null ? null : String.UTF8.decode(bytes);
}

/** The text of the last exception. */
export function lastError(): string {
  const text = readText(hostException);
  return text === null ? "" : text;
}

/** Throws the last exception if a call returned false. */
export function must(done: bool): void {
  if (!done) throw new Error(lastError());
}

/** Throws the last exception if a call returned null. */
export function mustHave<T>(value: T | null): T {
  if (value === null) throw new Error(lastError());
  return value as T;
}

/** Sends one message, any JSON value as UTF-8; it is delivered after delay seconds, 0 to 43200. */
export function sendBytes(binding: string, body: ArrayBuffer, delay: i64): bool {
  const name = String.UTF8.encode(binding);
  return hostSend(changetype<usize>(name), name.byteLength, changetype<usize>(body), body.byteLength, delay) == 0;
}

export function send(binding: string, body: string, delay: i64): bool {
  return sendBytes(binding, String.UTF8.encode(body), delay);
}

/** Sends up to 100 messages, all or none: a JSON array of {"body":…,"delaySeconds":…}, the delay optional. */
export function sendBatchBytes(binding: string, messages: ArrayBuffer): bool {
  const name = String.UTF8.encode(binding);
  return hostSendBatch(changetype<usize>(name), name.byteLength, changetype<usize>(messages), messages.byteLength) == 0;
}

/** {"queue":"…","messages":[{"id":"…","attempts":1,"timestamp":1700000000000,"body":…},…]}; a message's place is its index, from 0. */
export function readBatch(): string | null {
  return readText(hostReadBatch);
}

/** The message is done, whatever becomes of the event. */
export function ack(index: i64): bool {
  return hostAck(index) == 0;
}

/** The message comes again after delay seconds; 0 means the queue's own retry delay. */
export function retry(index: i64, delay: i64): bool {
  return hostRetry(index, delay) == 0;
}

/** "queue", "fetch" or an embedder's own. */
export function eventKind(): string | null {
  return readText(hostEventKind);
}

/** {"method":"…","url":"…","headers":[["name","value"],…]}; the URL is absolute, header names are lower case. */
export function readRequest(): string | null {
  return readText(hostReadRequest);
}

export function readBody(): ArrayBuffer | null {
  return read(hostReadBody);
}

/** Gives the answer, once; headers are a JSON array [["name","value"],…]. It is sent when the event has ended well. */
export function respond(status: i32, headers: string, body: string): bool {
  const h = String.UTF8.encode(headers);
  const b = String.UTF8.encode(body);
  return hostRespond(status, changetype<usize>(h), h.byteLength, changetype<usize>(b), b.byteLength) == 0;
}

/** Writes a line to stdout (1) or stderr (2). */
export function print(line: string, fd: i32 = 1): void {
  const bytes = String.UTF8.encode(line + "\n");
  const vector = new StaticArray<usize>(3); // pointer, length, then the number of bytes written
  const at = changetype<usize>(vector);
  let from = changetype<usize>(bytes);
  let left = bytes.byteLength;
  while (left > 0) {
    vector[0] = from;
    vector[1] = left;
    if (fdWrite(fd, at, 1, at + 8) != 0) return;
    from += vector[2];
    left -= <i32>vector[2];
  }
}

/** What a throw becomes. */
export function abort(message: string | null, file: string | null, line: u32, column: u32): void {
  if (message !== null) print(message, 2);
  unreachable();
}
