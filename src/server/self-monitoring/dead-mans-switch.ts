import { sleep, type Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Secret } from "../../kit/crypto/secret.ts";

interface Deps {
  readonly url: Secret;
  /** Returns the reason why the service is not healthy enough to report; undefined if it is. */
  readonly blockedBy: () => string | undefined;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
}

/** Requests the URL of an outside service once a minute while all is well. That service alerts the operator when the requests stop. */
export interface DeadMansSwitch {
  /** Returns the reason why the latest requests failed; undefined if they did not. */
  readonly failure: () => string | undefined;
  /** Returns the ms by which our clock is ahead of the service's, by its Date header; 0 if unknown. */
  readonly clockAheadMs: () => number;
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const INTERVAL_MS = 60_000;
/**
 * Milliseconds from the start of a process to its first request: every problem that a start finds is open by then, and a
 * restart after the last request still leaves less than two minutes between two of them.
 */
const FIRST_AFTER_MS = 40_000;
const TIMEOUT_MS = 10_000;
const RETRY_AFTER_MS = 5000;
/** Each minute is tried as often. */
const MAX_ATTEMPTS = 3;

export function createDeadMansSwitch({
  url,
  blockedBy,
  clock,
  fetch = globalThis.fetch,
}: Deps): DeadMansSwitch {
  let failure: string | undefined;
  let clockAheadMs = 0;

  const tell = async (signal: AbortSignal): Promise<string | undefined> => {
    const sentAt = clock.now();
    try {
      const response = await fetch(url.reveal(), {
        redirect: "follow",
        headers: { "user-agent": "Watchpost" },
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.body?.cancel();
      const at = Date.parse(response.headers.get("date") ?? "");
      if (Number.isFinite(at)) clockAheadMs = aheadBy((sentAt + clock.now()) / 2 - at);
      return response.ok ? undefined : `it answered with status ${response.status}`;
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      // A message may hold the URL, and with it the key.
      return `it cannot be reached: ${codeOf(cause) ?? (cause instanceof DOMException ? messageOf(cause) : "no answer")}`;
    }
  };

  return {
    failure: () => failure,
    clockAheadMs: () => clockAheadMs,
    async run(signal) {
      await sleep(clock, FIRST_AFTER_MS, signal);
      while (!signal.aborted) {
        const startedAt = clock.monotonic();
        for (let attempt = 1; attempt <= MAX_ATTEMPTS && blockedBy() === undefined; attempt += 1) {
          failure = await tell(signal);
          if (failure === undefined || signal.aborted) break;
          await sleep(clock, RETRY_AFTER_MS, signal);
        }
        await sleep(clock, INTERVAL_MS - (clock.monotonic() - startedAt), signal);
      }
    },
  };
}

/** A Date header has whole seconds, rounded down (RFC 9110, 5.6.7). */
function aheadBy(ms: number): number {
  if (ms > 1000) return ms - 1000;
  return Math.min(ms, 0);
}
