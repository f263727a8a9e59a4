import { closeSync, openSync, readSync } from "node:fs";
import { isIPv6 } from "node:net";
import { performance } from "node:perf_hooks";

import { sleep, type Clock } from "../../kit/clock.ts";
import { codeOf } from "../../kit/errors.ts";

interface Deps {
  readonly clock: Clock;
  /** Called while clients wait too long to be accepted. */
  readonly failed: () => void;
  /** Connections in the longest queue of the system for this process. */
  readonly longestQueue: () => number;
  /** Number of event loop turns so far. */
  readonly turns?: () => number;
}

const LOOK_INTERVAL_MS = 500;
/** Clients feel such a wait, as that of an interruption. */
const NOTICEABLE_DELAY_MS = 1000;

/** Looks at connections that the system has and this process has not: in each turn of the event loop one of each queue is accepted. */
export async function watchAcceptQueue(deps: Deps, signal: AbortSignal): Promise<void> {
  const { clock, failed, longestQueue, turns = turnsOfLoop } = deps;
  let before = { at: clock.monotonic(), turns: turns() };
  while (!signal.aborted) {
    await sleep(clock, LOOK_INTERVAL_MS, signal);
    const now = { at: clock.monotonic(), turns: turns() };
    const turnMs = (now.at - before.at) / Math.max(1, now.turns - before.turns);
    // guard: connections that wait to be accepted
    if (longestQueue() * turnMs >= NOTICEABLE_DELAY_MS) failed();
    before = now;
  }
}

function turnsOfLoop(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount;
}

/** A page of memory, which Linux fills at a time; sockets that listen come first. */
const PAGE_BYTES = 4096;
const LISTENING = "0A";
/** The port, the state, and of a socket that listens the length of its queue (proc_pid_net(5), "/proc/net/tcp"). */
const SOCKET = /^ *\d+: \S+:([0-9A-F]{4}) \S+ ([0-9A-F]{2}) \S+:([0-9A-F]{8})/gm;

/** Returns the longest queue of the sockets that listen at this port; 0 if unknown. */
export function longestAcceptQueue({
  host,
  port,
}: {
  readonly host: string;
  readonly port: number;
}) {
  const file = isIPv6(host) ? "/proc/self/net/tcp6" : "/proc/self/net/tcp";
  return (): number => {
    let longest = 0;
    for (const text of pagesOf(file)) {
      for (const [, at = "", state, length = ""] of text.matchAll(SOCKET)) {
        if (state !== LISTENING) return longest;
        if (Number.parseInt(at, 16) === port)
          longest = Math.max(longest, Number.parseInt(length, 16));
      }
    }
    return longest;
  };
}

function* pagesOf(file: string): Iterable<string> {
  let fd: number;
  try {
    fd = openSync(file, "r");
  } catch (error) {
    // Another system, or no descriptor left, which others notice.
    if (codeOf(error) !== undefined) return;
    throw error;
  }
  try {
    const page = Buffer.alloc(PAGE_BYTES);
    for (let read = readSync(fd, page); read > 0; read = readSync(fd, page))
      yield page.toString("latin1", 0, read);
  } finally {
    closeSync(fd);
  }
}
