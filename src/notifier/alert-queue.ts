import type { Alert } from "../domain/alert.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Grouping, RenderedMessage } from "../store/alerts.ts";
import type { Store } from "../store/store.ts";
import { createAlertUpdates } from "./alert-updates.ts";
import type { AlertUpdate } from "./alert-updates.ts";

export const leaseMs = 90_000;

/**
 * The alerts that this process has claimed and how they ended: in the store, and in memory while the store cannot commit. So
 * alerts that were committed before go out then too, each once from this process, and their ends are saved afterwards.
 */
export interface AlertQueue {
  /** Claims alerts, each until it is released; more than the limit only where they may share a message. */
  readonly claim: (limit: number) => Promise<readonly Alert[]>;
  /** Saves all updates or, for now, none. */
  readonly finish: (updates: readonly AlertUpdate[]) => Promise<void>;
  readonly release: (alert: Alert) => void;
  /** By alert what was rendered for an earlier attempt. */
  readonly findRendered: (
    alertIds: readonly string[],
  ) => Promise<ReadonlyMap<string, RenderedMessage>>;
  /** Saves what is not saved yet. Throws Unavailable where the store still cannot commit. */
  readonly flush: () => Promise<void>;
  readonly unsaved: () => number;
  /** False from a claim that the store could not commit until one that it could. */
  readonly canClaim: () => boolean;
}

interface AlertQueueDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly grouping: Grouping;
}

export function createAlertQueue({ store, clock, log, grouping }: AlertQueueDeps): AlertQueue {
  const claimed = new Set<string>();
  /** Those of them that have no lease, to their check and address: no later alert of the same may go out before they end. */
  const withoutLease = new Map<string, string>();
  const updates = createAlertUpdates({ store, log });
  let canClaim = true;

  const flush = (): Promise<void> => updates.flush(claimed);
  const claimInStore = async (limit: number): Promise<readonly Alert[]> => {
    await flush();
    const alerts = await store.write((tx) => tx.alerts.claim({ leaseMs, limit, grouping }));
    return alerts.filter(({ id }) => !updates.isUnsaved(id));
  };
  /** What could be claimed, as far as this process knows. */
  const listDue = async (limit: number): Promise<readonly Alert[]> => {
    const now = clock.now();
    const due = await store.alerts.listDue(limit + updates.unsaved() + claimed.size);
    const fresh = due.filter(({ id }) => !updates.isUnsaved(id));
    return [...updates.dueAgain(now), ...fresh].map(countAttempt);
  };

  return {
    async claim(limit) {
      let alerts: readonly Alert[];
      try {
        alerts = await claimInStore(limit);
        canClaim = true;
      } catch (error) {
        if (codeOf(error) !== "unavailable") throw error;
        if (canClaim) log.warn("notifier.store_unavailable", { message: messageOf(error) });
        canClaim = false;
        alerts = await listDue(limit);
      }
      const blocked = new Set(withoutLease.values());
      const free = alerts.filter((alert) => !claimed.has(alert.id) && !blocked.has(laneOf(alert)));
      // What was claimed in the store, nobody else can claim.
      const ours = canClaim ? free : free.slice(0, limit);
      for (const alert of ours) {
        claimed.add(alert.id);
        if (!canClaim) withoutLease.set(alert.id, laneOf(alert));
      }
      return ours;
    },
    finish: updates.save,
    release({ id }) {
      claimed.delete(id);
      withoutLease.delete(id);
    },
    findRendered: async (alertIds) =>
      new Map([...(await store.alerts.findRendered(alertIds)), ...updates.findRendered(alertIds)]),
    flush,
    unsaved: updates.unsaved,
    canClaim: () => canClaim,
  };
}

function laneOf({ checkNo, contactId, addressId }: Alert): string {
  return `${checkNo} ${contactId} ${addressId}`;
}

function countAttempt(alert: Alert): Alert {
  return { ...alert, attempts: alert.attempts + 1 };
}
