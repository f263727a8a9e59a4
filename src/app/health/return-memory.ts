import type { KoffiFunc } from "koffi";

import { sleep } from "../../kit/clock.ts";
import type { Clock } from "../../kit/clock.ts";

/**
 * Gives back to the system what the allocator of C keeps of memory that was freed: 150 MB in 4,000 pieces in 20 ms. In a thread of its own this
 * one would wait longer for it, at the lock of the allocator, where the processors are taken.
 */
export type Trim = () => void;

interface Deps {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The memory of the process, in bytes. */
  readonly memory?: () => number;
  /** Undefined where the allocator has nothing of the kind. */
  readonly loadTrim?: () => Promise<Trim | undefined>;
}

const MB = 1e6;
/** Below, gaps are small: a quiet process with a probe thread has 172 MiB. */
const TRIM_ABOVE_BYTES = 256 * MB;
const LOOK_EVERY_MS = 10_000;
/** After one that gave back less, the memory is in use. */
const WORTH_BYTES = 16 * MB;
const REST_MS = 120_000;

/**
 * Keeps gaps between what is in use from adding up, until the signal aborts: after half a minute of large responses a third of what glibc had
 * taken was free, and stayed with the process.
 */
export async function returnMemory({
  clock,
  signal,
  memory = () => process.memoryUsage.rss(),
  loadTrim = loadGlibcTrim,
}: Deps): Promise<void> {
  let trim: Trim | undefined;
  let waitMs = LOOK_EVERY_MS;
  for (;;) {
    await sleep(clock, waitMs, signal);
    if (signal.aborted) return;
    waitMs = LOOK_EVERY_MS;
    const before = memory();
    if (before < TRIM_ABOVE_BYTES) continue;
    trim ??= await loadTrim();
    if (trim === undefined) return;
    trim();
    if (before - memory() < WORTH_BYTES) waitMs = REST_MS;
  }
}

type MallocTrim = KoffiFunc<(keptBytes: number) => number>;

/** https://man7.org/linux/man-pages/man3/malloc_trim.3.html; undefined on musl and elsewhere. */
export async function loadGlibcTrim(): Promise<Trim | undefined> {
  if (process.platform !== "linux") return undefined;
  const { default: koffi } = await import("koffi");
  try {
    const trim: MallocTrim = koffi.load(null).func("int malloc_trim(size_t)");
    return () => void trim(0);
  } catch {
    return undefined;
  }
}
