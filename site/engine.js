// The engine of the site: its files are fetched and compiled here, once, and run in two web workers, one
// for the coach and one for slow tasks. The second can be ended at a time limit while the first goes
// on; the worker that takes its place needs no download.

import { FILES, FOLDER, LOCK } from "./parts.js";
import { unpack } from "./pack.js";

const HERE = new URL(FOLDER, import.meta.url).href;
export const AWAY = "unreachable"; // the code of an error that is over when the network is back
const MOST_HEAP = 768 << 20; // bytes; a worker that has grown beyond is replaced when it is idle
const aborted = () => new DOMException("no longer wanted", "AbortError");

// -- downloads --

/** A part as a decompressed stream; `count(bytes)` is called as its bytes arrive. */
async function part(name, count) {
  const answer = await fetch(HERE + name);
  if (!answer.ok) throw new TypeError(`${name}: ${answer.status}`);
  const counted = new TransformStream({
    transform(chunk, controller) {
      count(chunk.byteLength);
      controller.enqueue(chunk);
    },
  });
  return answer.body.pipeThrough(counted).pipeThrough(new DecompressionStream("gzip"));
}

const bytesOf = async (stream) => new Uint8Array(await new Response(stream).arrayBuffer());

function compileStream(stream) {
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

/** A pack with the WebAssembly modules in it compiled, by their paths. */
async function readPack(stream) {
  const pack = await bytesOf(stream);
  const compiling = [];
  unpack(pack, (path, bytes) => {
    if (path.endsWith(".so")) compiling.push(WebAssembly.compile(bytes).then((module) => [path, module]));
  });
  return { pack, modules: new Map(await Promise.all(compiling)) };
}

// -- workers --

/** One web worker, and the promises of what it was asked. */
class PythonWorker {
  constructor(role, parts) {
    this.heap = 0;
    this._asked = new Map();
    this._next = 0;
    this._worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module", name: role });
    this._worker.onmessage = ({ data }) => this._onMessage(data);
    this._worker.onerror = (event) => this.end(new Error(event.message || "the worker failed"));
    const { wasm, library, first, rest } = parts;
    this.ready = this._ask("start", { role, folder: HERE, wasm, library, lock: LOCK, ...first });
    if (rest) this.ready = this.ready.then(() => this.install(rest));
    this.ready.catch(() => {});
  }

  install(packed) {
    return this._ask("install", packed);
  }

  async call(name, ...args) {
    await this.ready;
    return this._ask("call", { name, args });
  }

  /** End it, whatever it does; what it was asked is rejected. */
  end(error = aborted()) {
    this._worker.terminate();
    this.ended = true;
    for (const { no } of this._asked.values()) no(error);
    this._asked.clear();
  }

  _ask(kind, message) {
    if (this.ended) return Promise.reject(new Error("the worker has ended"));
    return new Promise((yes, no) => {
      const id = (this._next += 1);
      this._asked.set(id, { yes, no });
      this._worker.postMessage({ id, kind, ...message });
    });
  }

  _onMessage({ id, answer, error, heap = 0 }) {
    const waiting = this._asked.get(id);
    this._asked.delete(id);
    this.heap = heap;
    if (error === undefined) waiting?.yes(answer);
    else waiting?.no(new Error(error));
  }
}

/** Does tasks one after the other, each within its time. */
class TaskLine {
  constructor(make) {
    this._make = make;
    this._worker = null;
    this._line = [];
    this._current = null;
  }

  /** Have a worker ready; resolves when it is. */
  warm() {
    if (!this._worker || this._worker.ended) this._worker = this._make();
    return this._worker.ready;
  }

  /** What a task tells, as JSON; null if its time was up. Rejects if `signal` is aborted. */
  do(message, signal) {
    return new Promise((yes, no) => {
      const task = { message, yes, no };
      signal?.addEventListener("abort", () => this._drop(task), { once: true });
      this._line.push(task);
      this._go();
    });
  }

  async _go() {
    if (this._current || !this._line.length) return;
    const task = (this._current = this._line.shift());
    let timer = null;
    try {
      await this.warm();
      const worker = this._worker;
      timer = setTimeout(() => {
        task.late = true;
        worker.end();
      }, 1000 * task.message.seconds);
      task.yes(await worker.call("do", JSON.stringify(task.message)));
      if (worker.heap > MOST_HEAP) worker.end();
    } catch (error) {
      if (task.late) task.yes("null");
      else task.no(error);
    }
    clearTimeout(timer);
    this._current = null;
    if (this._worker.ended) this.warm().catch(() => {});
    this._go();
  }

  /** Nobody waits for a task any more: it is not begun, or ended if others wait for their turn. */
  _drop(task) {
    task.no(aborted());
    this._line = this._line.filter((one) => one !== task);
    if (this._current === task && this._line.length) this._worker.end();
  }
}

// -- the engine --

const total = Object.values(FILES).reduce((sum, size) => sum + size, 0);

class Engine {
  constructor() {
    this.progress = 0; // of the download, from 0 to 1
    this.loaded = false; // whether all of it is there
    this._come = 0; // bytes
    this._listeners = new Set();
    this._parts = null;
    this._coach = null;
    this._numbers = 0;
    this._tasks = new TaskLine(() => new PythonWorker("tasks", this._parts));
  }

  /** Be told when the progress changes; `listener(engine)`. */
  watch(listener) {
    this._listeners.add(listener);
  }

  _tell() {
    for (const listener of this._listeners) listener(this);
  }

  /** Resolves when the coach can be asked. What failed is tried again when this is called again. */
  ready() {
    this._loading ??= this._load().catch((error) => {
      this._loading = null;
      throw error;
    });
    return this._loading;
  }

  get started() {
    return Boolean(this._started);
  }

  _count(bytes) {
    this._come += bytes;
    this.progress = Math.min(1, this._come / total);
    this._tell();
  }

  async _load() {
    const count = (bytes) => this._count(bytes);
    const [wasm, library, first] = await Promise.all([
      part("pyodide.wasm.bin", count).then(compileStream),
      part("library.bin", count).then(bytesOf),
      part("start.bin", count).then(readPack),
    ]);
    this._parts = { wasm, library, first, rest: null };
    this._coach = new PythonWorker("coach", this._parts);
    await this._coach.ready;
    this._started = true;
    performance.mark("engine-ready");
    this._tell();
    this._complete().catch((error) => console.error(error));
  }

  /** Resolves when all of it is there. What failed is tried again when this is called again. */
  _complete() {
    this._completing ??= this._loadRest().catch((error) => {
      this._completing = null;
      throw error;
    });
    return this._completing;
  }

  /** What a game does not begin with. */
  async _loadRest() {
    if (!this._parts.rest) {
      const rest = await part("rest.bin", (bytes) => this._count(bytes)).then(readPack);
      const coach = this._alive();
      this._parts.rest = rest; // later workers begin with it
      await coach.ready;
      await coach.install(rest);
    }
    await this._tasks.warm();
    this.loaded = true;
    performance.mark("engine-loaded");
    this._tell();
  }

  /** The coach, begun anew if it has failed: the page has kept the games. */
  _alive() {
    if (this._coach.ended) this._coach = new PythonWorker("coach", this._parts);
    return this._coach;
  }

  /** What the coach answers to a request, as a server would: {answer} or {error, status}. */
  async ask(path, body, signal) {
    await this.ready();
    const number = (this._numbers += 1);
    const coach = this._alive();
    const gone = new Promise((_, no) => {
      if (signal?.aborted) no(aborted());
      signal?.addEventListener("abort", () => no(aborted()), { once: true });
    });
    gone.catch(() => coach.ended || coach.call("drop", number).catch(() => {}));
    const answered = this._answer(coach, number, path, body, signal);
    answered.catch(() => {});
    return Promise.race([answered, gone]);
  }

  async _answer(coach, number, path, body, signal) {
    try {
      let told = JSON.parse(await coach.call("ask", number, path, body));
      while (told.wanted) {
        if (!(await this._complete().then(() => true, () => false))) {
          coach.call("drop", number).catch(() => {});
          return { error: { code: AWAY, message: "A part of the engine could not be loaded." }, status: 0 };
        }
        const done = await this._tasks.do(told.wanted, signal);
        told = JSON.parse(await coach.call("goOn", number, done));
      }
      return told;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      console.error(error);
      coach.end(error); // Python itself failed: nothing in it can be trusted
      return { error: { code: "failed", message: "The engine failed and was started anew." }, status: 500 };
    }
  }
}

export const engine = new Engine();
