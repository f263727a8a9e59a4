import { trackCheck } from "../active-checks/tracked-check.ts";
import type { TrackedCheck } from "../active-checks/tracked-check.ts";
import type { PreparedPushCheck } from "../checks/check-type.ts";
import { checkTypeOf } from "../checks/registry.ts";
import type { Store } from "../store/store.ts";

/** What is known of a PUSH check between its heartbeats; read from the store once, and again after every change. */
export interface HeartbeatState {
  readonly tracked: TrackedCheck;
  readonly isAccountSuspended: boolean;
  readonly prepared: PreparedPushCheck;
  /** Resolves when what was received last is stored, or could not be. */
  pendingWrite: Promise<unknown>;
  /** When the last heartbeat was received; undefined before the first result. */
  lastSeenAt: number | undefined;
  /** When the last few heartbeats were accepted, by the monotonic clock, oldest first. */
  readonly accepted: number[];
}

export interface HeartbeatStates {
  /** Undefined where there is no such PUSH check. */
  readonly find: (id: string) => Promise<HeartbeatState | undefined>;
  /** Has a check, or all of an account, read from the store again. */
  readonly invalidate: (change: {
    readonly accountId: string;
    readonly checkNo: number | undefined;
  }) => void;
}

type Reads = Pick<Store, "changes" | "checks" | "accounts" | "results">;

export function createHeartbeatStates(store: Reads): HeartbeatStates {
  const known = new Map<string, HeartbeatState>();
  const loading = new Map<string, Promise<HeartbeatState | undefined>>();
  const idOf = new Map<number, string>();
  let changes = 0;

  const read = (id: string): Promise<HeartbeatState | undefined> => {
    const underWay = loading.get(id);
    if (underWay !== undefined) return underWay;
    const changesBefore = changes;
    const begun = load(id, store)
      .then((found) => {
        // Unknown ids are looked up each time, for guesses must not fill the memory; and so is what changed meanwhile.
        if (found !== undefined && changes === changesBefore) {
          known.set(id, found);
          idOf.set(found.tracked.check.no, id);
        }
        return found;
      })
      .finally(() => loading.delete(id));
    loading.set(id, begun);
    return begun;
  };

  return {
    find(id) {
      // Another process may have changed a check without this one knowing of it yet.
      if (!store.changes.isCurrent()) known.clear();
      return Promise.resolve(known.get(id) ?? read(id));
    },
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
  };
}

async function load(id: string, store: Reads): Promise<HeartbeatState | undefined> {
  const record = await store.checks.findById(id);
  const type = record && checkTypeOf(record.check.type);
  if (record === undefined || type?.driver !== "push") return undefined;
  const account = await store.accounts.find(record.check.accountId);
  if (account === undefined || account.status === "deleted") return undefined;
  const last = await store.results.last(record.check.no);
  return {
    tracked: trackCheck(record, last?.startedAt ?? 0),
    isAccountSuspended: account.status === "suspended",
    prepared: type.prepare(record.check.parameters),
    pendingWrite: Promise.resolve(),
    lastSeenAt: last?.startedAt,
    accepted: [],
  };
}
