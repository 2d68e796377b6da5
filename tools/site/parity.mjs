// Python's tests in Pyodide: node parity.mjs PYODIDE ROOT PACKAGES ARGUMENT...
// The arguments are pytest's.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// The line of an error in Pyodide is half a megabyte long: only what it says is printed.
process.on("uncaughtException", (error) => {
  console.error(String(error?.message ?? error).slice(0, 4000), String(error?.stack ?? "").slice(0, 1500));
  process.exit(1);
});

const [pyodideFolder, root, packages, ...given] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(pyodideFolder, "pyodide.mjs")));
const python = await loadPyodide({
  indexURL: `${pyodideFolder}/`,
  env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1", COLUMNS: "100" },
});
const installed = python.runPython("import site; site.getsitepackages()[0]");
for (const name of readdirSync(packages).filter((one) => one.endsWith(".whl")).sort()) {
  await python.unpackArchive(new Uint8Array(readFileSync(join(packages, name))), "wheel", { extractDir: installed });
}
python.FS.mkdirTree("/mineproof");
python.mountNodeFS("/mineproof", root);
python.globals.set("given", python.toPy(given));
const status = await python.runPythonAsync(`
import os, sys
os.chdir("/mineproof")
sys.path[:0] = ["/mineproof"]
import pytest
from tools.site import parity_plugin
int(pytest.main(list(given), plugins=[parity_plugin]))
`);
process.exit(status);
