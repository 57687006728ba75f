// Lines for stdout and stderr.

const print = (descriptor) => (...values) => {
  const line = values.length === 1 ? show(values[0]) : values.map(show).join(" ");
  host.print(descriptor, line.toWellFormed());
};

globals({
  console: { log: print(1), info: print(1), debug: print(1), warn: print(2), error: print(2) },
});
