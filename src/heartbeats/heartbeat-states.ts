import { trackCheck, type AllocatedStarts, type TrackedCheck } from "../tracking/tracked-check.ts";
import type { PreparedPushCheck } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { isSwitchedOn } from "../domain/check.ts";
import type { Invalidation } from "../domain/change.ts";
import { CLOCK_SKEW_TOLERANCE_MS, monotonicTimeOf, type Clock } from "../kit/clock.ts";
import type { Store } from "../store/store.ts";

/** State of a PUSH check between its heartbeats; read from the store once, and again after every change. */
export interface HeartbeatState {
  readonly tracked: TrackedCheck;
  /** Whether the check itself is to run. */
  readonly isSwitchedOn: boolean;
  readonly isAccountSuspended: boolean;
  /** Time zone of the account. */
  readonly timeZone: string;
  readonly prepared: PreparedPushCheck;
  readonly received: ReceivedHeartbeats;
}

/** Heartbeats received by a check, kept across changes of the check. */
export interface ReceivedHeartbeats {
  /** Resolves when what was received last is stored, or could not be. */
  pendingWrite: Promise<unknown>;
  /** Arrival of the last heartbeat, on the monotonic clock; undefined before the first result. */
  lastSeen: number | undefined;
  /** Client of the last heartbeat, as counted for connections; undefined if unknown. */
  peer: string | undefined;
  /** Acceptance times of the last few heartbeats, on the monotonic clock, oldest first. */
  readonly accepted: number[];
  readonly starts: AllocatedStarts;
  /** Whether runs of it may have begun that have not ended. */
  mayHaveRuns: boolean;
  /** Starts of runs that ended without a result yet, by run ID. */
  readonly endedRuns: Map<string, number>;
}

export interface HeartbeatStates {
  /** Undefined if there is no such PUSH check. */
  readonly find: (id: string) => Promise<HeartbeatState | undefined>;
  /** The same, read from the store again where other processes receive heartbeats of the same checks: what is remembered may be old. */
  readonly findAnew: (id: string) => Promise<HeartbeatState | undefined>;
  /** Has a check read from the store again. */
  readonly forget: (id: string) => void;
  /** The same of a check that was changed, or of all of an account. */
  readonly invalidate: (change: Invalidation) => void;
}

type Reads = Pick<Store, "changes" | "checks" | "accounts" | "results" | "startedRuns">;

export function createHeartbeatStates(
  store: Reads,
  clock: Pick<Clock, "now" | "monotonic">,
  sharesChecks: boolean,
): HeartbeatStates {
  const known = new Map<string, HeartbeatState>();
  const received = new Map<string, ReceivedHeartbeats>();
  const loading = new Map<string, Promise<HeartbeatState | undefined>>();
  const idOf = new Map<number, string>();
  let changes = 0;

  const read = (id: string): Promise<HeartbeatState | undefined> => {
    const inFlight = loading.get(id);
    if (inFlight !== undefined) return inFlight;
    const changesBefore = changes;
    const begun = loadState(id, { store, clock, received })
      .then((found) => {
        // Unknown ids are looked up each time, for guesses must not fill the memory; and so is what changed meanwhile.
        const isForgotten = loading.get(id) !== begun;
        if (found !== undefined && changes === changesBefore && !isForgotten) {
          known.set(id, found);
          idOf.set(found.tracked.check.no, id);
        }
        return found;
      })
      .finally(() => {
        if (loading.get(id) === begun) loading.delete(id);
      });
    loading.set(id, begun);
    return begun;
  };

  const find = (id: string): Promise<HeartbeatState | undefined> => {
    // Another process may have changed a check without this one knowing of it yet.
    if (!store.changes.isCurrent()) known.clear();
    return Promise.resolve(known.get(id) ?? read(id));
  };

  const forget = (id: string): void => {
    // A read in progress may return older data.
    loading.delete(id);
    known.delete(id);
  };

  return {
    find,
    findAnew(id) {
      if (sharesChecks) forget(id);
      return find(id);
    },
    forget,
    invalidate(change) {
      changes += 1;
      if (change === "everything") return known.clear();
      const { accountId, checkNo } = change;
      const changed =
        checkNo === undefined
          ? [...known.keys()].filter((id) => id.startsWith(`${accountId}-`))
          : [idOf.get(checkNo)];
      for (const id of changed) {
        if (id !== undefined) known.delete(id);
      }
    },
  };
}

interface Loading {
  readonly store: Reads;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  /** Heartbeats by check ID. */
  readonly received: Map<string, ReceivedHeartbeats>;
}

async function loadState(
  id: string,
  { store, clock, received }: Loading,
): Promise<HeartbeatState | undefined> {
  const record = await store.checks.findById(id);
  // Received heartbeats are kept until the check has another type.
  if (record === undefined) received.delete(id);
  const type = record && checkTypeOf(record.check.type);
  if (record === undefined || type?.driver !== "push") return undefined;
  const [account, stored] = await Promise.all([
    store.accounts.find(record.check.accountId),
    readReceived(record.check.no, store, clock),
  ]);
  if (account === undefined || account.status === "deleted") return undefined;
  const before = received.get(id);
  // guard: rate of heartbeats over changes = then
  const now = before === undefined ? stored : withStored(before, stored);
  received.set(id, now);
  return {
    tracked: trackCheck({ ...record, state: record.state.state }, now.starts),
    isSwitchedOn: isSwitchedOn(record.check),
    isAccountSuspended: account.status === "suspended",
    timeZone: account.timeZone,
    prepared: type.prepare(record.check.parameters),
    received: now,
  };
}

async function readReceived(
  checkNo: number,
  { results, startedRuns }: Pick<Reads, "results" | "startedRuns">,
  clock: Pick<Clock, "now" | "monotonic">,
): Promise<ReceivedHeartbeats> {
  const [newest, runs] = await Promise.all([results.last(checkNo), startedRuns.list(checkNo)]);
  const believedUntil = clock.now() + CLOCK_SKEW_TOLERANCE_MS;
  const last =
    newest !== undefined && newest.startedAt > believedUntil
      ? await results.last(checkNo, believedUntil)
      : newest;
  return {
    pendingWrite: Promise.resolve(),
    lastSeen: newest && monotonicTimeOf(clock, (last ?? newest).startedAt),
    peer: undefined,
    accepted: [],
    starts: { latest: newest?.startedAt ?? 0, recent: [] },
    mayHaveRuns: runs.length > 0,
    endedRuns: new Map(),
  };
}

/** Another process may have received and stored more. */
function withStored(known: ReceivedHeartbeats, stored: ReceivedHeartbeats): ReceivedHeartbeats {
  if (stored.lastSeen !== undefined)
    known.lastSeen = Math.max(known.lastSeen ?? -Infinity, stored.lastSeen);
  known.starts.latest = Math.max(known.starts.latest, stored.starts.latest);
  return known;
}
