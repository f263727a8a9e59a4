import { sleep, systemClock } from "../../src/kit/clock.ts";
import { start, type RunningInstallation } from "../e2e/process.ts";
import type { Beat, Surroundings } from "./judges/judge-states.ts";
import type { Interval } from "./judges/timeline.ts";

/** Silences that end at the same time, after an interruption, are judged again half a minute later. */
const STALE_WITHIN_MS = 45_000;

/** The program in the storm as its clients see it: it stops answering at times. */
export interface Installation extends Surroundings {
  readonly lost: Loss[];
  readonly blurred: Interval[];
  readonly restarts: number[];
  readonly kills: number[];
  readonly away: Interval[];
  readonly unsaved: Interval[];
  /** When its clock was ahead. */
  readonly ahead: Interval[];
  /** One request; it throws where there was no good response in time. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the storm looks at what came
  readonly call: (call: string, parameters?: object) => Promise<any>;
  /** Requests again and again until there is a good response; it gives from when to when that was. */
  readonly insist: (call: string, parameters?: object) => Promise<Acknowledged>;
  readonly fetch: (path: string, init?: RequestInit) => Promise<Response>;
  readonly beat: (check: PushCheck, isPassing: boolean) => Promise<Beat>;
  /** Runs something that keeps the process from receiving heartbeats or acting. */
  readonly interrupted: <Value>(trouble: Trouble<Value>) => Promise<Value>;
}

/** It is one process, which ends and is started again. */
export interface OneProcess extends AsyncDisposable, Installation {
  readonly process: () => RunningInstallation;
  /** Log of each process. */
  readonly log: () => string;
  readonly start: () => Promise<void>;
}

export interface Loss extends Interval {
  readonly what: string;
}

export interface Acknowledged extends Interval {
  // oxlint-disable-next-line typescript/no-explicit-any -- the storm looks at what came
  readonly body: any;
}

export interface PushCheck {
  readonly id: string;
  readonly token: string;
}

interface Trouble<Value> {
  readonly what: string;
  readonly act: () => Promise<Value>;
  /** Whether it prevented receiving heartbeats from any sender. */
  readonly losesHeartbeats: boolean;
  /** How long afterwards it may still be slow to act. */
  readonly recoveryMs: number;
}

/** A response that says no. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Returns whether nothing was done, and would not be another time. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.status < 500;
}

const REQUEST_MS = 10_000;
const AGAIN_MS = 300;
/** Time after which a failing request is given up. */
const INSIST_MS = 5 * 60_000;

export async function install(
  folder: string,
  settings: Readonly<Record<string, string>>,
): Promise<OneProcess> {
  let site = await start(folder, settings);
  const { token } = site;
  let earlierLogs = "";
  return {
    ...installationAt(() => site.base, { token, requestMs: REQUEST_MS }),
    process: () => site,
    log: () => earlierLogs + site.log(),
    async start() {
      earlierLogs += site.log();
      site = await start(folder, settings, token);
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Creates clients of an installation that look up its address for each request. */
export function installationAt(
  base: () => string,
  { token, requestMs }: { readonly token: string; readonly requestMs: number },
): Installation {
  const lost: Loss[] = [];
  const interruptions: Interval[] = [];
  const fetchFrom = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${base()}${path}`, { ...init, signal: AbortSignal.timeout(requestMs) });
  const call: Installation["call"] = async (line, parameters) => {
    const [method = "GET", path = ""] = line.split(" ");
    const response = await fetchFrom(`/api/1/${path}`, {
      method,
      headers: {
        authorization: `Basic ${btoa(`${token}:`)}`,
        "content-type": "application/json",
      },
      ...(parameters === undefined ? {} : { body: JSON.stringify(parameters) }),
    });
    const body = await response.json();
    if (!response.ok)
      throw new Refusal(response.status, `${line}: ${response.status} ${JSON.stringify(body)}`);
    return body;
  };

  return {
    lost,
    interruptions,
    blurred: [],
    restarts: [],
    kills: [],
    away: [],
    unsaved: [],
    ahead: [],
    staleWithinMs: STALE_WITHIN_MS,
    call,
    fetch: fetchFrom,
    async insist(line, parameters) {
      const from = systemClock.monotonic();
      for (;;) {
        try {
          const body = await call(line, parameters);
          return { from, to: systemClock.monotonic(), body };
        } catch (error) {
          if (isRefusal(error) || systemClock.monotonic() > from + INSIST_MS) throw error;
          await sleep(systemClock, AGAIN_MS);
        }
      }
    },
    async beat({ id, token: checktoken }, isPassing) {
      const from = systemClock.monotonic();
      const query = new URLSearchParams({ id, checktoken }).toString();
      const answered = await fetchFrom(`/v1?${query}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ data: { load: isPassing ? 0 : 2 } }),
      })
        .then(async (response) => ({ status: response.status, body: await response.text() }))
        .catch((error: unknown) => ({ status: 0, body: String(error) }));
      const { status, body } = answered;
      const outcome =
        status === 200 ? "stored" : status >= 400 && status < 500 ? "refused" : "unknown";
      const answer = status === 200 ? "200" : `${status} ${body}`;
      return { from, to: systemClock.monotonic(), isPassing, outcome, answer };
    },
    async interrupted({ what, act, losesHeartbeats, recoveryMs }) {
      const interval = { from: systemClock.monotonic(), to: Infinity };
      const slow = { ...interval, what };
      lost.push(slow);
      if (losesHeartbeats) interruptions.push(interval);
      try {
        return await act();
      } finally {
        interval.to = systemClock.monotonic();
        slow.to = interval.to + recoveryMs;
      }
    },
  };
}

const LOOK_MS = 100;
const STALL_MS = 1000;

/** Records suspensions of this process, because its targets did not respond then. */
export async function noteStalls(
  { blurred }: { readonly blurred: Interval[] },
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const from = systemClock.monotonic();
    await sleep(systemClock, LOOK_MS, signal);
    if (signal.aborted) return;
    const to = systemClock.monotonic();
    if (to - from > STALL_MS) blurred.push({ from, to });
  }
}
