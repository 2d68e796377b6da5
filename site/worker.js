// Python in a web worker: the coach itself, or what may take long and be ended for it.
//
// It is given all it needs (see engine.js) and can fetch nothing: there is no network in here.

import { unpack } from "./pack.js";

const ROLES = {
  coach: `
from mineproof.web.local_coach import LocalCoach
coach = LocalCoach()
{"ask": coach.ask, "goOn": coach.go_on, "drop": coach.drop}
`,
  tasks: `
import json
from mineproof.web.tasks import run_task
{"do": lambda message: json.dumps(run_task(json.loads(message)), allow_nan=False)}
`,
};

let python = null;
let operations = null; // name -> function of Python

/** Files of a pack into Python's file system; modules of WebAssembly are there compiled already. */
async function install(pack, modules) {
  const made = new Set();
  unpack(pack, (path, bytes) => {
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!made.has(folder)) python.FS.mkdirTree(folder);
    made.add(folder);
    python.FS.writeFile(path, modules.has(path) ? new Uint8Array() : bytes);
  });
  const module = python._module;
  for (const [path, compiled] of modules) {
    const flags = { loadAsync: true, nodelete: true };
    module.preloadedWasm[path] = await module.loadWebAssemblyModule(compiled, flags, path, {});
  }
  python.runPython("import importlib; importlib.invalidate_caches()");
}

async function start({ role, folder, wasm, library, pack, modules, lock }) {
  const files = { "python_stdlib.zip": library, "pyodide.asm.wasm": new Uint8Array() };
  self.fetch = async (address) => {
    const name = new URL(address, folder).pathname.split("/").pop();
    if (!(name in files)) throw new TypeError(`${name} is not fetched: nothing is`);
    return new Response(files[name]);
  };
  WebAssembly.instantiateStreaming = async (response, imports) => {
    await response;
    return { module: wasm, instance: await WebAssembly.instantiate(wasm, imports) };
  };
  const { loadPyodide } = await import(`${folder}pyodide.mjs`);
  python = await loadPyodide({ indexURL: folder, lockFileContents: lock, packageBaseUrl: folder });
  await install(pack, modules);
  const made = python.runPython(ROLES[role]);
  operations = made.toJs({ dict_converter: Object.fromEntries });
}

const respond = {
  start,
  install: ({ pack, modules }) => install(pack, modules),
  // Python takes undefined for None, but null for something of its own.
  call: ({ name, args }) => operations[name](...args.map((one) => one ?? undefined)),
};

self.onmessage = async ({ data: { id, kind, ...asked } }) => {
  try {
    const answer = await respond[kind](asked);
    self.postMessage({ id, answer, heap: python._module.HEAPU8.length });
  } catch (error) {
    self.postMessage({ id, error: String(error?.message ?? error) });
  }
};
