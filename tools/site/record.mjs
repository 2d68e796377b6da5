// Run the coach in Pyodide under node, and print as JSON which files of Python it has loaded.
//
//   node record.mjs PYODIDE_FOLDER STAGE_FOLDER

import { readFileSync } from "node:fs";
import { unpack } from "../../site/pack.js";

// A stack trace would quote Pyodide's one line of a megabyte.
process.on("uncaughtException", (error) => {
  console.error(error.message);
  process.exit(1);
});

const [pyodide, stage] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ stdLibURL: `${stage}/library.zip` });
unpack(new Uint8Array(readFileSync(`${stage}/packages.pack`)), (path, bytes) => {
  python.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
  python.FS.writeFile(path, bytes);
});
const loaded = python.runPython(`
import json, sys
from mineproof.web.local_coach import LocalCoach
from mineproof.web import tasks
coach = LocalCoach()
number = 0
def ask(path, body=None):
    global number
    number += 1
    said = json.loads(coach.ask(number, path, None if body is None else json.dumps(body)))
    assert "answer" in said, said
    return said["answer"]
game = ask("/api/games", {"board": "beginner", "seed": 1})["game"]
ask(f"/api/games/{game}/open", {"cell": 40})
ask(f"/api/games/{game}/analysis?win=0")
ask(f"/api/games/{game}")
ask("/api/boards")
json.dumps(sorted({found for module in list(sys.modules.values()) if (found := getattr(module, "__file__", None))}))
`);
console.log(loaded);
