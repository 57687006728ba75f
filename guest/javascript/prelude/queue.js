// The queues a script sends to, and the batch it is handed.

// integer is a number as the host takes it. What is not an integer, or too large
// to be one that the host accepts, becomes one that it refuses.
const integer = (value) => (Number.isInteger(value) && value >= 0 && value < 2 ** 31 ? value | 0 : -1);

// seconds is a delay; undefined is none.
const seconds = (delay) => (delay === undefined ? 0 : integer(delay));

class Queue {
  #name;
  constructor(name) {
    this.#name = name;
  }
  async send(body, options) {
    must(host.send(this.#name, JSON.stringify(body) ?? "", seconds(options?.delaySeconds)));
  }
  async sendBatch(messages, options) {
    let items = messages;
    if (typeof items === "object" && items !== null && !Array.isArray(items) && Symbol.iterator in items) items = [...items];
    const delaySeconds = options?.delaySeconds;
    if (delaySeconds !== undefined && Array.isArray(items)) items = items.map((item) => ({ delaySeconds, ...item }));
    must(host.send_batch(this.#name, JSON.stringify(items) ?? ""));
  }
}

class Message {
  #index;
  #body;
  #time;
  constructor(index) {
    this.#index = index;
  }
  get id() {
    return host.id(this.#index);
  }
  get attempts() {
    return host.attempts(this.#index);
  }
  get timestamp() {
    return (this.#time ??= new Date(host.timestamp(this.#index)));
  }
  get body() {
    // Of the bodies null is read each time it is asked for.
    return (this.#body ??= host.body(this.#index));
  }
  ack() {
    must(host.ack(this.#index));
  }
  retry(options) {
    must(host.retry(this.#index, seconds(options?.delaySeconds)));
  }
}

// An instance handles one event, so what every event needs is there before.
const messages = Array.from({ length: 100 }, (_, index) => new Message(index));

class MessageBatch {
  #messages;
  get queue() {
    return mustHave(host.queue());
  }
  get messages() {
    return (this.#messages ??= this.#read());
  }
  #read() {
    const count = mustHave(host.messages());
    while (messages.length < count) messages.push(new Message(messages.length));
    return messages.slice(0, count);
  }
  ackAll() {
    for (const message of this.messages) message.ack();
  }
  retryAll(options) {
    for (const message of this.messages) message.retry(options);
  }
}
const batch = new MessageBatch();
