// An Error says where it was made, and for that may run JavaScript, whoever throws
// it: a function of the host's too, while nothing may run. So these two, which
// scripts set, do not reach the engine.

{
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
  Object.defineProperty(Error, "stackTraceLimit", {
    get: () => limit.get.call(Error),
    set(value) {
      if (typeof value === "number") limit.set.call(Error, value);
    },
  });
  Object.defineProperty(Error, "prepareStackTrace", { get() {}, set() {} });
  for (const name of ["stackTraceLimit", "prepareStackTrace"]) Object.defineProperty(Error, name, { configurable: false });
}

