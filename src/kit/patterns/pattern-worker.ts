import { createContext, Script } from "node:vm";
import { parentPort } from "node:worker_threads";

import { messageOf } from "../errors.ts";

export interface Search {
  readonly pattern: string;
  readonly text: string;
}

export type PatternResult =
  | { readonly found: boolean }
  /** Endless where the time was over, and most of it was spent on the search. */
  | { readonly problem: string; readonly isEndless: boolean };

/** An ordinary pattern takes up to 35 ms for a body of 3 MiB. */
const BUDGET_MS = 250;
/** On a busy machine, an ordinary pattern may also exceed the wall time. */
const ENDLESS_CPU_MS = BUDGET_MS / 2;

const sandbox = createContext({});
/**
 * V8 can time out only a script, also in the middle of a match. Without the `u` flag the pattern is read in the older syntax, which allows a lone
 * bracket.
 */
const script = new Script(`
  (() => {
    try { return new RegExp(pattern, "u"); } catch { return new RegExp(pattern); }
  })().test(text)
`);

function findingOf(search: Search): PatternResult {
  const before = process.threadCpuUsage();
  try {
    Object.assign(sandbox, search);
    return {
      found:
        script.runInContext(sandbox, { /* guard: time of a pattern */ timeout: BUDGET_MS }) ===
        true,
    };
  } catch (error) {
    const { user, system } = process.threadCpuUsage(before);
    return { problem: messageOf(error), isEndless: (user + system) / 1000 >= ENDLESS_CPU_MS };
  } finally {
    Object.assign(sandbox, { text: "" });
  }
}

parentPort?.on("message", (search: Search) => parentPort?.postMessage(findingOf(search)));
