import { createCheckTracker } from "../active-checks/check-tracker.ts";
import { isSwitchedOn } from "../domain/check.ts";
import type { Outcome } from "../domain/run/outcome.ts";
import type { Clock } from "../kit/clock.ts";
import { constantTimeEquals } from "../kit/crypto/seal.ts";
import { codeOf } from "../kit/errors.ts";
import type { Ids } from "../kit/ids.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Store, Transaction } from "../store/store.ts";
import { createHeartbeatStates } from "./heartbeat-states.ts";
import type { HeartbeatState, HeartbeatStates } from "./heartbeat-states.ts";
import { recordHeartbeat } from "./record-heartbeat.ts";

export interface Heartbeat {
  readonly id: string;
  readonly token: string;
  /** The metrics; undefined for a simple heartbeat. */
  readonly data: unknown;
}

export type HeartbeatStatus = "accepted" | "throttled" | "unknown" | "disabled" | "suspended";

export interface Heartbeats extends HeartbeatStates {
  /** Resolves once the heartbeat is durable; rejects with Unavailable where it cannot be stored. */
  readonly accept: (heartbeat: Heartbeat) => Promise<HeartbeatStatus>;
  /** Fails a check whose heartbeats stopped, unless the precondition is false by then; true where it did. */
  readonly failStale: (
    state: HeartbeatState,
    outcome: Outcome,
    precondition: (tx: Transaction) => Promise<boolean>,
  ) => Promise<boolean>;
  /** Since when heartbeats can be received: time before that does not count as staleness. */
  readonly listeningSince: () => number;
}

interface Deps {
  readonly store: Store;
  /** Called after each flip, for alerts may be due. */
  readonly flipped: () => void;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const THROTTLE_WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 5;

export function createHeartbeats(deps: Deps): Heartbeats {
  const { store, clock } = deps;
  const tracker = createCheckTracker({ ...deps, source: "push" });
  const states = createHeartbeatStates(store);
  let listeningSince = clock.now();

  return {
    ...states,
    listeningSince: () => listeningSince,
    failStale: (state, outcome, precondition) =>
      recordHeartbeat(tracker, state, { outcome, at: clock.now(), precondition }),
    async accept({ id, token, data }) {
      const state = await states.find(id);
      if (state === undefined || !hasToken(state, token)) return "unknown";
      if (state.isAccountSuspended) return "suspended";
      if (!isSwitchedOn(state.tracked.check)) return "disabled";
      const at = clock.now();
      state.lastSeenAt = at;
      if (isThrottled(state, clock)) return "throttled";
      const acceptedAt = clock.monotonic();
      state.accepted.push(acceptedAt);
      const outcome = state.prepared.judge(data);
      try {
        await recordHeartbeat(tracker, state, { outcome, at });
      } catch (error) {
        state.accepted.splice(state.accepted.indexOf(acceptedAt), 1);
        if (codeOf(error) === "unavailable") listeningSince = clock.now();
        throw error;
      }
      return "accepted";
    },
  };
}

function hasToken({ tracked }: HeartbeatState, token: string): boolean {
  return constantTimeEquals(token, String(tracked.check.parameters.checktoken));
}

function isThrottled({ accepted }: HeartbeatState, clock: Clock): boolean {
  const [oldest] = accepted;
  if (oldest === undefined || accepted.length < MAX_IN_WINDOW) return false;
  if (oldest > clock.monotonic() - THROTTLE_WINDOW_MS) return true;
  accepted.shift();
  return false;
}
