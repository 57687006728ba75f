// The page-render service as a guest in JavaScript: it takes jobs over HTTP, puts them into a queue, and handles them when the queue
// hands them back.

const BINDING = "PAGE_QUEUE";
const VERSION = "v8";
const HELP = 'page-render: POST /render {"kind":"page","url":"/x","version":"v8"}, POST /render/batch [{"body":{}}]\n';

// The work: a pure function, since a message may come twice.
function render(url) {
  if (typeof url !== "string" || !url.startsWith("/") || url.startsWith("/fail")) throw new Error("no such page");
  return `<!doctype html><title>${url}</title>`;
}

// The delay after a failed attempt: 30 s, 60 s, 120 s, then 240 s.
const backoff = (attempts) => Math.min(300, 15 << Math.min(attempts, 4));

function handle(message) {
  const { version, url } = message.body ?? {};
  if (version !== VERSION) {
    message.ack(); // another version's
    return "skipped";
  }
  if (typeof url === "string" && url.startsWith("/pass")) return "passed"; // no mark: done if the event ends well
  try {
    render(url);
  } catch {
    message.retry({ delaySeconds: backoff(message.attempts) });
    return "retried";
  }
  message.ack();
  return "rendered";
}

async function route(request) {
  const { pathname, searchParams } = new URL(request.url);
  switch (`${request.method} ${pathname}`) {
    case "GET /":
      return new Response(HELP);
    case "POST /render": {
      const delay = searchParams.get("delay") || "0";
      if (!/^-?\d+$/.test(delay)) return Response.json({ error: "delay is not a whole number" }, { status: 400 });
      // What came in is JSON text already: env.PAGE_QUEUE.send(value) would have to parse it first.
      发送队列消息(BINDING, await request.bytes(), Number(delay));
      break;
    }
    case "POST /render/batch":
      批量发送队列消息(BINDING, await request.bytes());
      break;
    default:
      return Response.json({ error: "not found" }, { status: 404 });
  }
  return Response.json({ queued: true }, { status: 202 });
}

export default {
  async fetch(request) {
    try {
      return await route(request);
    } catch (refusal) {
      return Response.json({ error: refusal.message }, { status: 400 });
    }
  },
  queue(batch) {
    for (const message of batch.messages) {
      console.log(`${handle(message)} ${message.id} attempts ${message.attempts}`);
    }
  },
};
