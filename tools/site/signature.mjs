// The signature of a built site: what `mineproof bench` prints, from the very files it serves, as JSON.
//
//   node signature.mjs SITE_FOLDER PYODIDE_FOLDER

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { unpack } from "../../site/pack.js";

// A stack trace would quote Pyodide's one line of a megabyte.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

const site = resolve(process.argv[2]);
const pyodide = resolve(process.argv[3]);
const folder = join(site, readdirSync(site).find((name) => name.startsWith("engine-")));
const read = (name) => gunzipSync(readFileSync(join(folder, name)));
const library = join(tmpdir(), `mineproof-library-${process.pid}.zip`);
writeFileSync(library, read("library.bin"));
const { loadPyodide } = await import(join(pyodide, "pyodide.mjs"));
const python = await loadPyodide({ stdLibURL: library });
for (const name of ["start.bin", "rest.bin"]) {
  unpack(new Uint8Array(read(name)), (path, bytes) => {
    python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    python.FS.writeFile(path, bytes);
  });
}
console.log(
  python.runPython(`
import json
from mineproof.lab import signature
json.dumps({part.name: part.digits for part in signature.sign()})
`),
);
