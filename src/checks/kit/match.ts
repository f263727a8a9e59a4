import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { unlessAborted } from "../../kit/abort.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Finding, Search } from "./pattern-thread.ts";

export interface ContentRule {
  readonly contentstring: string | undefined;
  /** Whether that is an expression rather than text. */
  readonly regex?: boolean;
  readonly invert?: boolean;
}

/**
 * Whether the text is as the rule wants it; a rule that looks for nothing wants nothing. Throws Unavailable where an expression took more than
 * its budget: what is not known is no failure.
 */
export async function isAsWanted(
  { contentstring, regex = false, invert = false }: ContentRule,
  text: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (contentstring === undefined) return true;
  const found = regex
    ? await findPattern({ pattern: contentstring, text }, signal)
    : text.includes(contentstring);
  return found !== invert;
}

/** One thread for all runs: expressions of strangers over texts of strangers may take for ever, and must not hold up the main thread. */
let thread: Worker | undefined;
let lastSearch: Promise<unknown> = Promise.resolve();

async function findPattern(search: Search, signal: AbortSignal): Promise<boolean> {
  // One at a time, so that whoever gave up in the queue costs nothing.
  const turn = lastSearch.then(() => (signal.aborted ? undefined : ask(search)));
  lastSearch = turn.catch(() => {});
  const finding = await unlessAborted(turn, signal);
  if (finding === undefined) throw new Unavailable("no time was left to search the text");
  if ("found" in finding) return finding.found;
  throw new Unavailable(`the text could not be searched: ${finding.problem}`);
}

async function ask(search: Search): Promise<Finding> {
  const worker = (thread ??= new Worker(new URL("pattern-thread.ts", import.meta.url)));
  worker.ref();
  try {
    worker.postMessage(search);
    return await once(worker, "message").then(([finding]) => finding);
  } catch (error) {
    thread = undefined;
    throw new Unavailable("the thread that searches texts broke", { cause: error });
  } finally {
    worker.unref();
  }
}
