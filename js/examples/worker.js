// A worker: the page stays alive while boards are generated. The page sends { id, description, method, given } and gets
// { id, answer } or { id, error }:
//
//   const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
//   worker.onmessage = ({ data }) => console.log(data.answer.boards);
//   worker.postMessage({ id: 1, description: { rows: 16, cols: 30, mines: 99 }, method: "generate", given: [{ seed: 1 }] });
import { load } from "../index.js";

const loaded = load();
const methods = ["analyze", "bestMove", "guess", "deal", "open", "generate"];

onmessage = async ({ data: { id, description, method, given } }) => {
  try {
    if (!methods.includes(method)) throw new Error(`no method ${method}; accepted: ${methods.join(", ")}`);
    postMessage({ id, answer: (await loaded).board(description)[method](...given) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};
