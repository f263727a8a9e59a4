import process from "node:process";
import { getHeapStatistics } from "node:v8";

/** Maximum cost of one input for the main thread. */
const MAX: Cost = { ms: 50, bytes: 64 * 2 ** 20 };
/** Code that is not compiled yet, and what else runs, make some runs slow, but not all of them. */
const RUNS = 12;
const RUNS_AS_THEY_ARE = 3;

/** Below this the clock of a thread is too coarse to compare two times. */
const COMPARABLE_MS = 20;
const PARTS = 8;
/** Quadratic code takes as many times longer on one large input as it has parts. */
const MAX_SLOWDOWN = 3;

/** Reference input, whose reading time on an idle machine is the unit. */
const COMPARISON = "ab".repeat(2 ** 22);
const COMPARISON_MS = 40;

export interface Cost {
  /** CPU time of this thread. */
  readonly ms: number;
  readonly bytes: number;
}

type Work = () => unknown;

/** Why some work costs too much; undefined where it does not. Its result does not matter, nor whether it is refused. */
export async function excessiveCost(work: Work): Promise<string | undefined> {
  const least = await leastCost(() => costOf(work), MAX);
  if (!isMore(least, MAX)) return undefined;
  return `takes ${Math.round(least.ms)} ms and allocates ${Math.round(least.bytes / 2 ** 20)} MiB`;
}

/** The least of several measurements, as many as it takes to find what is within the bounds. */
export async function leastCost(measure: () => Promise<Cost>, most: Cost): Promise<Cost> {
  let least = await measure();
  for (let run = 1; run < RUNS && isMore(least, most); run += 1) {
    const { ms, bytes } = await measure();
    // On a busy machine every computation takes longer.
    const slowness =
      run < RUNS_AS_THEY_ARE ? 1 : Math.max(1, (await costOf(readComparison)).ms / COMPARISON_MS);
    least = { ms: Math.min(least.ms, ms / slowness), bytes: Math.min(least.bytes, bytes) };
  }
  return least;
}

/** Whether one work takes much longer than as many times the work on a part of it. */
export async function superlinearCost(whole: Work, part: Work): Promise<string | undefined> {
  const allParts = async (): Promise<void> => {
    for (let done = 0; done < PARTS; done += 1) await attempt(part);
  };
  let [one, many] = [Infinity, Infinity];
  for (let run = 0; run < RUNS; run += 1) {
    one = Math.min(one, (await costOf(whole)).ms);
    if (one < COMPARABLE_MS) return undefined;
    many = Math.min(many, (await costOf(allParts)).ms);
    if (one <= MAX_SLOWDOWN * many) return undefined;
  }
  return `takes ${Math.round(one)} ms at once, and ${Math.round(many)} ms in ${PARTS} parts`;
}

export function isMore({ ms, bytes }: Cost, most: Cost): boolean {
  return ms > most.ms || bytes > most.bytes;
}

/** The bytes are all that were allocated, kept or not: no less than the heap has grown in between. */
async function costOf(work: Work): Promise<Cost> {
  const allocated = getHeapStatistics().total_allocated_bytes;
  const before = process.threadCpuUsage();
  await attempt(work);
  const { user, system } = process.threadCpuUsage(before);
  const bytes = getHeapStatistics().total_allocated_bytes - allocated;
  return { ms: (user + system) / 1000, bytes };
}

async function attempt(work: Work): Promise<void> {
  try {
    await work();
  } catch {
    // To refuse it is as good as to read it.
  }
}

/** Takes 40 ms where nothing else runs, and as much longer elsewhere as everything does. */
export function readComparison(): number {
  let found = 0;
  for (let at = 0; at < COMPARISON.length; at += 1)
    if (COMPARISON.charCodeAt(at) === 0x61) found += 1;
  return found;
}
