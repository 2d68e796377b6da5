// The compiled core: how it is loaded, called and read. The only file that knows WebAssembly.

import { BudgetExceeded, InputError, MineproofError, quoted } from "./errors.js";

const GOOD = 0;
const CONTRADICTION = 1;
const OVER_BUDGET = 2;
const MALFORMED = 3;
const BAD_FILE = 8;

// Thrown by a call, and turned into an error that names cells by those who know the board.
export class Contradiction extends MineproofError {}

// The module: `source` is its bytes, a compiled WebAssembly.Module, a Response, or the address of the file, which is
// looked for beside this one.
async function moduleOf(source = new URL("./mineproof.wasm", import.meta.url)) {
  let given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof given === "string" || given instanceof URL) {
    const address = new URL(given, import.meta.url);
    if (address.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      given = await readFile(address);
    } else {
      given = await fetch(address);
    }
  }
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new InputError(`status ${given.status}`);
    given = await given.arrayBuffer();
  }
  return WebAssembly.compile(given);
}

export class Core {
  #exports;
  #failed = false;

  static async load(source) {
    const core = new Core();
    let module;
    try {
      module = await moduleOf(source);
    } catch (error) {
      const accepted = "bytes, a WebAssembly.Module, a Response or an address of mineproof.wasm";
      throw new InputError(`wasm cannot be loaded (${quoted(error?.message)}); accepted: ${accepted}`);
    }
    const instance = await WebAssembly.instantiate(module, core.#imports());
    core.#exports = instance.exports;
    core.#exports._initialize();
    return core;
  }

  // What the C++ library asks its surroundings for: the time, and files, of which there are none.
  #imports() {
    const clock = (_id, _precision, room) => {
      const now = BigInt(Math.round(performance.now() * 1e6));
      new DataView(this.#exports.memory.buffer).setBigUint64(room, now, true);
      return 0;
    };
    const none = () => BAD_FILE;
    const end = () => {
      throw new MineproofError("the core has ended itself");
    };
    return {
      wasi_snapshot_preview1: {
        clock_time_get: clock,
        fd_write: none,
        fd_seek: none,
        fd_close: none,
        fd_read: none,
        environ_get: () => 0,
        environ_sizes_get: (count, size) => {
          const memory = new DataView(this.#exports.memory.buffer);
          memory.setUint32(count, 0, true);
          memory.setUint32(size, 0, true);
          return 0;
        },
        proc_exit: end,
      },
      env: { emscripten_notify_memory_growth: () => {} },
    };
  }

  // Call a function of the core. Arrays among the arguments are handed over for the time of the call; null stands for
  // none. Throws InputError, BudgetExceeded and Contradiction.
  call(name, ...given) {
    if (this.#failed) throw new MineproofError("the core has failed before; accepted: to load it anew");
    const rooms = [];
    try {
      const words = given.map((one) => {
        if (one === null) return 0;
        if (!ArrayBuffer.isView(one)) return one;
        const room = this.#exports.take(Math.max(one.byteLength, 8)) >>> 0;
        if (room === 0) throw new BudgetExceeded("the memory of the module is used up");
        rooms.push(room);
        const bytes = new Uint8Array(one.buffer, one.byteOffset, one.byteLength);
        new Uint8Array(this.#exports.memory.buffer).set(bytes, room);
        return room;
      });
      const status = this.#run(name, words);
      if (status !== GOOD) this.#fail(status);
    } finally {
      if (!this.#failed) for (const room of rooms) this.#exports.give_back(room);
    }
  }

  #run(name, words) {
    try {
      return this.#exports[name](...words);
    } catch (error) {
      // A trap leaves memory as it happened to be: nothing more may be asked of it.
      this.#failed = true;
      throw new MineproofError(`the core has failed in ${name} (${error}); accepted: to load it anew`);
    }
  }

  #fail(status) {
    const message = this.message();
    if (status === CONTRADICTION) throw new Contradiction(message);
    if (status === OVER_BUDGET) throw new BudgetExceeded(message);
    if (status === MALFORMED) throw new InputError(message);
    throw new MineproofError(message);
  }

  // What the last call left, copied.
  #left(name, Kind) {
    const at = this.#exports[name]() >>> 0;
    const size = this.#exports[`${name}_size`]();
    return new Kind(this.#exports.memory.buffer.slice(at, at + size * Kind.BYTES_PER_ELEMENT));
  }
  chances() {
    return this.#left("chances", Float64Array);
  }
  numbers() {
    return this.#left("numbers", Int32Array);
  }
  words() {
    return this.#left("words", BigUint64Array);
  }
  bytes() {
    return this.#left("bytes", Uint8Array);
  }
  message() {
    return new TextDecoder().decode(this.#left("message", Uint8Array));
  }

  // Give the memory of a board back; nothing where the core has failed.
  freeBoard(board) {
    if (!this.#failed) this.#exports.free_board(board);
  }
}
