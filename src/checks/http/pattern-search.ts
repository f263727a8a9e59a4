import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { unlessAborted } from "../../kit/abort.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { RunContext } from "../check-type.ts";
import type { Finding, Search } from "./pattern-worker.ts";

/** One worker thread for all runs: untrusted patterns on untrusted text may take forever, and must not block the main thread. */
let thread: Worker | undefined;
let isBusy = false;

interface Waiting {
  readonly pattern: string;
  readonly begin: () => void;
}

const queue = new Set<Waiting>();

/** Twice the time of an ordinary pattern. */
const SLOW_MS = 70;
/** Pushing a pattern out of this list takes more than a minute of the worker. */
const MAX_SLOW_PATTERNS = 1000;
/** The last duration of each slow pattern, most recent last. */
const slowPatterns = new Map<string, number>();

/** Searches the text. Throws Unavailable if the search exceeded its time, or had no time left. */
export async function findPattern(
  search: Search,
  { signal, monotonic }: Pick<RunContext, "signal" | "monotonic">,
): Promise<boolean> {
  const turn = async (): Promise<Finding | undefined> => {
    await waitForTurn(search.pattern, signal);
    try {
      if (signal.aborted) return undefined;
      const start = monotonic();
      const finding = await ask(search);
      rememberIfSlow(search.pattern, monotonic() - start);
      return finding;
    } finally {
      startNext();
    }
  };
  const finding = await unlessAborted(turn(), signal);
  if (finding === undefined) throw new Unavailable("no time was left to search the text");
  if ("found" in finding) return finding.found;
  throw new Unavailable(`the text could not be searched: ${finding.problem}`);
}

/** Never resolves for a run that was aborted before. */
async function waitForTurn(pattern: string, signal: AbortSignal): Promise<void> {
  if (isBusy) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { pattern, begin: resolve };
    queue.add(waiting);
    signal.addEventListener("abort", () => queue.delete(waiting), { once: true });
    await promise;
  }
  isBusy = true;
}

/** Starts the waiting pattern that was fastest last time, so that slow patterns delay only each other. */
function startNext(): void {
  const cost = ({ pattern }: Waiting): number => slowPatterns.get(pattern) ?? 0;
  const [next] = [...queue].toSorted((one, other) => cost(one) - cost(other));
  isBusy = next !== undefined;
  if (next === undefined) return;
  queue.delete(next);
  next.begin();
}

function rememberIfSlow(pattern: string, ms: number): void {
  slowPatterns.delete(pattern);
  if (ms < SLOW_MS) return;
  slowPatterns.set(pattern, ms);
  const [oldest] = slowPatterns.keys();
  if (oldest !== undefined && slowPatterns.size > MAX_SLOW_PATTERNS) slowPatterns.delete(oldest);
}

async function ask(search: Search): Promise<Finding> {
  const worker = (thread ??= new Worker(new URL("pattern-worker.ts", import.meta.url)));
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
