import type { PreparedPushCheck } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { isSwitchedOn } from "../domain/check.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { State } from "../domain/verdict.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf } from "../kit/errors.ts";
import { constantTimeEquals } from "../kit/crypto/seal.ts";
import type { CheckRecord } from "../store/checks.ts";
import { recordHeartbeat } from "./record-heartbeat.ts";
import type { HeartbeatDeps } from "./record-heartbeat.ts";

export interface Heartbeat {
  readonly id: string;
  readonly token: string;
  /** The metrics; undefined for a simple heartbeat. */
  readonly data: unknown;
}

export type HeartbeatStatus = "accepted" | "throttled" | "unknown" | "disabled" | "suspended";

/** A PUSH check as the intake knows it; made from the store once, and forgotten at every change. */
export interface HeartbeatState {
  readonly record: CheckRecord;
  /** Its account is. */
  readonly isSuspended: boolean;
  readonly judge: PreparedPushCheck;
  state: State | undefined;
  spanIsOpen: boolean;
  inTrouble: boolean;
  /** Resolves when what arrived last is stored, or could not be. */
  pendingWrite: Promise<unknown>;
  lastStart: number;
  /** When it last proved to be alive; undefined before its first result. */
  lastSeenAt: number | undefined;
  /** When the last few were accepted, by the monotonic clock, oldest first. */
  readonly accepted: number[];
}

export interface Heartbeats {
  /** Resolves once the heartbeat is stored for good; rejects with Unavailable where it cannot be. */
  readonly accept: (heartbeat: Heartbeat) => Promise<HeartbeatStatus>;
  readonly find: (id: string) => Promise<HeartbeatState | undefined>;
  readonly invalidate: (check: {
    readonly accountId: string;
    readonly checkNo: number | undefined;
  }) => void;
  /** From when on silence counts: before, nobody could be heard. */
  readonly listeningSince: () => number;
}

interface Deps extends HeartbeatDeps {
  readonly flipped: () => void;
  readonly clock: Clock;
}

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 5;

export function createHeartbeats(deps: Deps): Heartbeats {
  const { store, flipped, clock } = deps;
  const known = new Map<string, HeartbeatState>();
  const loading = new Map<string, Promise<HeartbeatState | undefined>>();
  const idOf = new Map<number, string>();
  let changes = 0;
  let openSince = clock.now();

  const load = async (id: string): Promise<HeartbeatState | undefined> => {
    const record = await store.checks.findById(id);
    const type = record && checkTypeOf(record.check.type);
    if (record === undefined || type?.driver !== "push") return undefined;
    const account = await store.accounts.find(record.check.accountId);
    if (account === undefined || account.status === "deleted") return undefined;
    const last = await store.results.last(record.check.no);
    return {
      record,
      isSuspended: account.status === "suspended",
      judge: type.prepare(record.check.parameters),
      state: record.state.state,
      spanIsOpen: false,
      inTrouble: record.openGap !== undefined,
      pendingWrite: Promise.resolve(),
      lastStart: last?.startedAt ?? 0,
      lastSeenAt: last?.startedAt,
      accepted: [],
    };
  };

  const find = (id: string): Promise<HeartbeatState | undefined> => {
    const under = loading.get(id);
    if (under !== undefined) return under;
    const seen = changes;
    const begun = load(id)
      .then((found) => {
        // What is not there is asked for again each time, for guesses must not fill the memory; and so is what may have changed meanwhile.
        if (found !== undefined && changes === seen) {
          known.set(id, found);
          idOf.set(found.record.check.no, id);
        }
        return found;
      })
      .finally(() => loading.delete(id));
    loading.set(id, begun);
    return begun;
  };

  const isThrottled = ({ accepted }: HeartbeatState): boolean => {
    const [oldest] = accepted;
    if (oldest === undefined || accepted.length < MOST_IN_WINDOW) return false;
    if (oldest > clock.monotonic() - WINDOW_MS) return true;
    accepted.shift();
    return false;
  };

  return {
    find: (id) => Promise.resolve(known.get(id) ?? find(id)),
    listeningSince: () => openSince,
    invalidate({ accountId, checkNo }) {
      changes += 1;
      const changed =
        checkNo === undefined
          ? [...known.keys()].filter((id) => id.startsWith(`${accountId}-`))
          : [idOf.get(checkNo)];
      for (const id of changed) {
        if (id !== undefined) known.delete(id);
      }
    },
    async accept({ id, token, data }) {
      const pushed = known.get(id) ?? (await find(id));
      if (
        pushed === undefined ||
        !constantTimeEquals(token, String(pushed.record.check.parameters.checktoken))
      )
        return "unknown";
      if (pushed.isSuspended) return "suspended";
      if (!isSwitchedOn(pushed.record.check)) return "disabled";
      pushed.lastSeenAt = clock.now();
      if (isThrottled(pushed)) return "throttled";
      const admittedAt = clock.monotonic();
      pushed.accepted.push(admittedAt);
      const outcome: Outcome = pushed.judge.judge(data);
      try {
        if (await recordHeartbeat({ pushed, outcome, at: pushed.lastSeenAt }, deps)) flipped();
      } catch (error) {
        pushed.accepted.splice(pushed.accepted.indexOf(admittedAt), 1);
        if (codeOf(error) === "unavailable") openSince = clock.now();
        throw error;
      }
      return "accepted";
    },
  };
}
