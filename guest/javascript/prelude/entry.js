// What the host calls.

const env = { ...variables };
const bind = (name) => {
  if (!(env[name] instanceof Queue)) env[name] = new Queue(name);
};
queues?.forEach(bind);

const context = {
  // Whatever is pending is seen to its end, and a rejection that nobody handles
  // fails the event, so there is nothing to remember. A thenable becomes a promise.
  waitUntil(promise) {
    Promise.resolve(promise);
  },
  passThroughOnException() {},
};
globals({ env });

const exported = new Map(); // the script's functions by name

// load takes the script's exports: the named ones, and those of its default
// export, which come first. It returns their names.
const load = (namespace) => {
  for (const [name, value] of Object.entries(namespace)) {
    if (typeof value === "function") exported.set(name, value);
  }
  const handlers = namespace.default;
  if (typeof handlers === "object" && handlers !== null) {
    // The methods of a class are not enumerable: the usual ones are asked for.
    for (const name of ["queue", "fetch", ...Object.keys(handlers)]) {
      if (typeof handlers[name] === "function") exported.set(name, handlers[name].bind(handlers));
    }
  }
  return [...exported.keys()].join("\0");
};

// find returns the function of that name, after the bindings that an event may
// use are there, their names behind it.
const find = (entry, ...granted) => {
  granted.forEach(bind);
  return exported.get(entry);
};

// finish takes what a function returned: what it promises is waited for, and that
// of fetch is the answer. A script may give none, or have given it by itself.
const finish = (result, isFetch) => {
  if (typeof result?.then === "function") return Promise.resolve(result).then((promised) => finish(promised, isFetch));
  if (!isFetch || result === undefined) return;
  if (!(result instanceof Response)) throw new TypeError(`fetch returned ${show(result)}, not a Response`);
  respond(result);
};
