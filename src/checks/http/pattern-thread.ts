import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";

import { messageOf } from "../../kit/errors.ts";

export interface Search {
  readonly pattern: string;
  readonly text: string;
}

export type Finding = { readonly found: boolean } | { readonly problem: string };

/** A pattern that is not meant to hurt takes up to 35 ms for a body of 3 MiB. */
const BUDGET_MS = 250;

const sandbox = createContext({});
/**
 * Of what runs in V8 only a script can be given an end, and that one stops within an expression, too. Without the flag there is the older syntax,
 * in which a lone bracket is one.
 */
const script = new Script(`
  (() => {
    try { return new RegExp(pattern, "u"); } catch { return new RegExp(pattern); }
  })().test(text)
`);

function findingOf(search: Search): Finding {
  try {
    Object.assign(sandbox, search);
    return { found: script.runInContext(sandbox, { timeout: BUDGET_MS }) === true };
  } catch (error) {
    return { problem: messageOf(error) };
  } finally {
    Object.assign(sandbox, { text: "" });
  }
}

parentPort?.on("message", (search: Search) => parentPort?.postMessage(findingOf(search)));
