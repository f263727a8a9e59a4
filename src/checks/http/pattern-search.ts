import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { unlessAborted } from "../../kit/abort.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { RunContext } from "../check-type.ts";
import type { Finding, Search } from "./pattern-thread.ts";

/** One thread for all runs: expressions of strangers over texts of strangers may take for ever, and must not hold up the main thread. */
let thread: Worker | undefined;
let isBusy = false;

interface Waiting {
  readonly pattern: string;
  readonly begin: () => void;
}

const queue = new Set<Waiting>();

/** Twice what an expression takes that is not meant to hurt. */
const LONG_MS = 70;
/** To make us forget one takes more than a minute of the thread. */
const MOST_REMEMBERED = 1000;
/** How long those took the last time that took long, the latest of them last. */
const longOnes = new Map<string, number>();

/** Throws Unavailable where it took more than its budget, or no time was left for it. */
export async function findPattern(
  search: Search,
  { signal, monotonic }: Pick<RunContext, "signal" | "monotonic">,
): Promise<boolean> {
  const turn = async (): Promise<Finding | undefined> => {
    await ownTurn(search.pattern, signal);
    try {
      if (signal.aborted) return undefined;
      const start = monotonic();
      const finding = await ask(search);
      remember(search.pattern, monotonic() - start);
      return finding;
    } finally {
      handOn();
    }
  };
  const finding = await unlessAborted(turn(), signal);
  if (finding === undefined) throw new Unavailable("no time was left to search the text");
  if ("found" in finding) return finding.found;
  throw new Unavailable(`the text could not be searched: ${finding.problem}`);
}

/** Never comes for whoever gives up before. */
async function ownTurn(pattern: string, signal: AbortSignal): Promise<void> {
  if (isBusy) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = { pattern, begin: resolve };
    queue.add(waiting);
    signal.addEventListener("abort", () => queue.delete(waiting), { once: true });
    await promise;
  }
  isBusy = true;
}

/** To whose expression took least the last time, so that those that take for ever hold up only each other. */
function handOn(): void {
  const cost = ({ pattern }: Waiting): number => longOnes.get(pattern) ?? 0;
  const [next] = [...queue].toSorted((one, other) => cost(one) - cost(other));
  isBusy = next !== undefined;
  if (next === undefined) return;
  queue.delete(next);
  next.begin();
}

function remember(pattern: string, ms: number): void {
  longOnes.delete(pattern);
  if (ms < LONG_MS) return;
  longOnes.set(pattern, ms);
  const [oldest] = longOnes.keys();
  if (oldest !== undefined && longOnes.size > MOST_REMEMBERED) longOnes.delete(oldest);
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
