'use strict';
// How long V8 takes from the bytes of a body to those of its canonical form, in
// nanoseconds, is written to stdout. The argument is the number of times to do
// it, the body comes from stdin.
const { isUtf8 } = require('buffer');
const body = require('fs').readFileSync(0);
const count = Number(process.argv[2]);

function canonical(bytes) {
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return Buffer.from(JSON.stringify(JSON.parse(bytes.toString())));
}

let size = 0;
for (let i = 0; i < count / 10; i++) size += canonical(body).length; // warms up
const start = process.hrtime.bigint();
for (let i = 0; i < count; i++) size += canonical(body).length;
const elapsed = Number(process.hrtime.bigint() - start);
if (size === 0) throw new Error('nothing was done');
process.stdout.write(String(elapsed / count));
