// How the page reaches the coach: a server, over HTTP. The site that needs no server has a file of
// its own in place of this one, with the same names.

export const AWAY = "unreachable";

/** What the page says about it. */
export const WORDS = {
  away: "The coach's server does not answer. Nothing is lost: this page goes on when it is back.",
  back: "The server is back.",
  later: (view) => `${view} is loaded when the server is back.`,
  forgotten: "The server no longer has this game, and this browser has not kept it.",
};

/** What the coach refused. */
export class Refusal extends Error {
  constructor({ code, message, cell = null, clash = [] }, status = 0) {
    super(message);
    this.code = code;
    this.cell = cell;
    this.clash = clash;
    this.status = status;
  }
}

export const isAbort = (error) => error instanceof DOMException && error.name === "AbortError";

/** Whether the coach can be asked: by a small request that every server answers. */
export const answers = () => fetch("/api/boards", { cache: "no-store" }).then((told) => told.ok, () => false);

/** The coach's answer. Rejects with a Refusal, whose code is AWAY if there is no answer. */
export async function askOnce(path, { body, signal }) {
  let answer;
  try {
    answer = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      signal,
    });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Refusal({ code: AWAY, message: "The coach's server does not answer." });
  }
  let json = null;
  try {
    json = await answer.json();
  } catch (error) {
    if (isAbort(error)) throw error;
    if (error instanceof TypeError) throw new Refusal({ code: AWAY, message: "The answer broke off." });
  }
  if (answer.ok && json !== null) return json;
  const told = json?.error ?? {
    code: "malformed",
    message: `The server answered ${answer.status} without saying why.`,
  };
  throw new Refusal(told, answer.status);
}
