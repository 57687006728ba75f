// The page-render service as a guest in AssemblyScript: it takes jobs over HTTP, puts them into a queue, and handles them when the queue
// hands them back.
import { ack, lastError, must, mustHave, print, readBatch, readBody, readRequest, respond, retry, sendBatchBytes, sendBytes } from "./wazqueue";
import { elements, member, quote, text } from "./json";

const BINDING = "PAGE_QUEUE";
const VERSION = "v8";
const HELP = 'page-render: POST /render {"kind":"page","url":"/x","version":"v8"}, POST /render/batch [{"body":{}}]\n';

/** The work: a pure function, since a message may come twice. */
function render(url: string): bool {
  return url.startsWith("/") && !url.startsWith("/fail");
}

/** The delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s. */
function backoff(attempts: i64): i64 {
  return min<i64>(300, 15 << min<i64>(attempts, 4));
}

function handle(index: i64, message: string): void {
  const attempts = I64.parseInt(member(message, "attempts"));
  const body = member(message, "body");
  const url = text(member(body, "url"));
  let did = "rendered";
  if (text(member(body, "version")) != VERSION) {
    did = "skipped"; // another version's
    must(ack(index));
  } else if (url.startsWith("/pass")) {
    did = "passed"; // no mark: done if the event ends well
  } else if (render(url)) {
    must(ack(index));
  } else {
    did = "retried";
    must(retry(index, backoff(attempts)));
  }
  print(did + " " + text(member(message, "id")) + " attempts " + attempts.toString());
}

export function queue(): void {
  const messages = elements(member(mustHave<string>(readBatch()), "messages"));
  for (let i = 0; i < messages.length; i++) handle(i, messages[i]);
}

function answer(status: i32, body: string): void {
  must(respond(status, '[["content-type","application/json"]]', body));
}

function fail(status: i32, error: string): void {
  answer(status, '{"error":' + quote(error) + "}");
}

function queued(done: bool): void {
  if (done) answer(202, '{"queued":true}');
  else fail(400, lastError());
}

/** A query parameter as it stands in the URL. */
function parameter(query: string, name: string): string {
  const pairs = query.split("&");
  for (let i = 0; i < pairs.length; i++) {
    if (pairs[i].startsWith(name + "=")) return pairs[i].substring(name.length + 1);
  }
  return "";
}

function isWhole(s: string): bool {
  let i = s.startsWith("-") ? 1 : 0;
  if (i == 1 && s.length == 1) return false;
  for (; i < s.length; i++) {
    if (s.charCodeAt(i) < 0x30 || s.charCodeAt(i) > 0x39) return false;
  }
  return true;
}

/** An integer, nothing being 0. One too long saturates: the host will say that it is out of range. */
function whole(s: string): i64 {
  if (s.length > 18) return s.startsWith("-") ? i64.MIN_VALUE : i64.MAX_VALUE;
  return s.length == 0 ? 0 : I64.parseInt(s);
}

export function fetch(): void {
  const request = mustHave<string>(readRequest());
  const body = mustHave<ArrayBuffer>(readBody());
  const method = text(member(request, "method"));
  const parts = text(member(request, "url")).split("#")[0].split("?");
  const path = "/" + parts[0].split("/").slice(3).join("/"); // scheme: / / host / path
  const query = parts.slice(1).join("?");

  if (method == "GET" && path == "/") {
    must(respond(200, '[["content-type","text/plain; charset=utf-8"]]', HELP));
  } else if (method == "POST" && path == "/render") {
    const delay = parameter(query, "delay");
    if (isWhole(delay)) queued(sendBytes(BINDING, body, whole(delay)));
    else fail(400, "delay is not a whole number");
  } else if (method == "POST" && path == "/render/batch") {
    queued(sendBatchBytes(BINDING, body));
  } else {
    fail(404, "not found");
  }
}
