// Randomness comes from the host, and time has no beginning: nothing here is
// remembered from when the interpreter started.

Math.random = () => host.random();

const hex = (byte) => byte.toString(16).padStart(2, "0");

globals({
  crypto: {
    getRandomValues(array) {
      if (!ArrayBuffer.isView(array)) throw new TypeError("getRandomValues fills a typed array");
      host.fill(bytes(array));
      return array;
    },
    randomUUID() {
      const b = new Uint8Array(16);
      host.fill(b);
      b[6] = (b[6] & 0x0f) | 0x40;
      b[8] = (b[8] & 0x3f) | 0x80;
      return Array.from(b, hex).join("").replace(/(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    },
  },
  performance: { timeOrigin: 0, now: () => Date.now() },
});
