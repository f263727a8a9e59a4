import { once } from "node:events";
import { Worker } from "node:worker_threads";

import { LRUCache } from "lru-cache";

import { unlessAborted } from "../abort.ts";
import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createLeastUsedQueue } from "../concurrency/least-used-queue.ts";
import { createBackoffs } from "../concurrency/backoff.ts";
import type { PatternResult, Search } from "./pattern-worker.ts";

/** One worker thread for all runs: untrusted patterns on untrusted text may take forever, and must not block the main thread. */
let thread: Worker | undefined;
let isBusy = false;

interface SearchContext extends Pick<Clock, "monotonic"> {
  readonly signal: AbortSignal;
  /** The account whose pattern it is. */
  readonly accountId: string;
}

interface Waiting {
  /** Key of the account and the pattern. */
  readonly key: string;
  readonly begin: () => void;
}

/** Shared by account: not by slots, because the worker is one and patterns take unequal time. */
const accounts = createLeastUsedQueue<Waiting>();

/** Twice the time of an ordinary pattern. */
const SLOW_MS = 70;
/** Pushing a pattern out of this list takes more than a minute of the worker. */
const MAX_SLOW_PATTERNS = 1000;
/** The last duration of each slow pattern. */
const slowPatterns = new LRUCache<string, number>({ max: MAX_SLOW_PATTERNS });
/** The text may have been the cause, and meanwhile the target's state is unknown. */
const MAX_BACKOFF_MS = 900_000;
/** Patterns that took all the time of their search: again and again, they would take a processor that everything else is waiting for. */
const endless = createBackoffs(MAX_BACKOFF_MS);

/** Throws Unavailable where the pattern is not searched for now, because it took too long the last time. */
export function assertSearchable(
  pattern: string,
  { monotonic, accountId }: Omit<SearchContext, "signal">,
): void {
  const backoff = endless.of(keyOf(accountId, pattern), monotonic());
  if (backoff !== undefined)
    throw new Unavailable(
      `the regular expression takes too long to search (times: ${backoff.times}); it is tried again in ${backoff.minutesLeft} min`,
    );
}

/**
 * Searches the text. Accounts that wait have equal time of the worker. Throws Unavailable if the search exceeded its time, or had
 * no time left, and for a while after it took too long.
 */
export async function findPattern(
  search: Search,
  { signal, monotonic, accountId }: SearchContext,
): Promise<boolean> {
  const key = keyOf(accountId, search.pattern);
  const turn = async (): Promise<PatternResult | undefined> => {
    await waitForTurn(accountId, key, signal);
    try {
      if (signal.aborted) return undefined;
      assertSearchable(search.pattern, { monotonic, accountId });
      const start = monotonic();
      try {
        return await ask(search);
      } finally {
        const ms = monotonic() - start;
        // guard: time of patterns by account
        accounts.charge(accountId, ms);
        rememberIfSlow(key, ms);
      }
    } finally {
      startNext();
    }
  };
  const finding = await unlessAborted(turn(), signal);
  if (finding === undefined) throw new Unavailable("no time was left to search the text");
  if ("found" in finding) {
    endless.forget(key);
    return finding.found;
  }
  // guard: patterns that took too long
  if (finding.isEndless) endless.add(key, monotonic());
  throw new Unavailable(`the text could not be searched: ${finding.problem}`);
}

function keyOf(accountId: string, pattern: string): string {
  return `${accountId} ${pattern}`;
}

/** Never resolves for a run that was aborted before. */
async function waitForTurn(accountId: string, key: string, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const waiting = { key, begin: resolve };
  accounts.add(accountId, waiting);
  if (isBusy) {
    const leave = (): void => accounts.remove(accountId, waiting);
    signal.addEventListener("abort", leave, { once: true });
  } else startNext();
  await promise;
}

/** Starts the pattern that was fastest last time, of the account that has used least, so that slow patterns delay only each other. */
function startNext(): void {
  const next = accounts.take(fastestOf);
  isBusy = next !== undefined;
  next?.begin();
}

function fastestOf(queue: Iterable<Waiting>): Waiting | undefined {
  let fastest: Waiting | undefined;
  let least = Infinity;
  for (const waiting of queue) {
    const ms = slowPatterns.get(waiting.key) ?? 0;
    if (ms >= least) continue;
    fastest = waiting;
    least = ms;
  }
  return fastest;
}

function rememberIfSlow(key: string, ms: number): void {
  if (ms < SLOW_MS) slowPatterns.delete(key);
  else slowPatterns.set(key, ms);
}

async function ask(search: Search): Promise<PatternResult> {
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
