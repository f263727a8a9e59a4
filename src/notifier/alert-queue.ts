import type { Alert } from "../domain/alert.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { AttemptEnd, Grouping, NewDelivery, RenderedMessage } from "../store/alerts.ts";
import type { AddressStatusChange } from "../store/contacts.ts";
import type { Store, Transaction } from "../store/store.ts";

export const leaseMs = 90_000;

/** How an attempt, or the decision against one, left an alert. */
export interface AlertUpdate {
  readonly alert: Alert;
  readonly end: AttemptEnd;
  readonly delivery?: NewDelivery;
  readonly rendered?: RenderedMessage | undefined;
  readonly addressChange?: AddressStatusChange | undefined;
}

/**
 * Which alerts are ours and how they ended: in the store, and in memory while the store cannot commit. So alerts that were
 * committed keep going out, each once from this process, and what became of them is written when the store is back.
 */
export interface AlertQueue {
  /** Takes alerts to work on, each until it is let go of; more than the limit only to tell them with others. */
  readonly claim: (limit: number) => Promise<readonly Alert[]>;
  /** All or, for now, none. */
  readonly finish: (settlements: readonly AlertUpdate[]) => Promise<void>;
  readonly release: (alert: Alert) => void;
  /** Writes what is not written yet. Throws Unavailable where the store still cannot. */
  readonly flush: () => Promise<void>;
  readonly unsaved: () => number;
  /** False from a claim that the store could not commit until one that it could. */
  readonly canClaim: () => boolean;
}

export function createAlertQueue({
  store,
  clock,
  log,
  company,
}: {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly company: Grouping;
}): AlertQueue {
  const taken = new Set<string>();
  /** Those of them that no claim protects, to their check and address: none behind them may go out before they are over. */
  const unclaimed = new Map<string, string>();
  /** Settlements of an alert that the store does not have yet, in order. */
  const unwritten = new Map<string, readonly AlertUpdate[]>();
  let canClaim = true;

  /** Each alert with what became of it, in order. */
  const write = async (stories: readonly (readonly AlertUpdate[])[]): Promise<void> => {
    const checks = [...new Set(stories.flat().map(({ alert }) => alert.checkNo))];
    const late = await store.write(
      async (tx) => {
        const settledBefore: string[] = [];
        for (const story of stories)
          if (!(await recordAll(tx, story))) settledBefore.push(story[0]?.alert.id ?? "");
        return settledBefore;
      },
      { checks },
    );
    for (const alert of late) log.warn("notifier.late_outcome", { alert });
  };
  const flush = async (): Promise<void> => {
    for (const [id, settlements] of unwritten) {
      if (taken.has(id)) continue;
      try {
        await write([settlements]);
        unwritten.delete(id);
      } catch (error) {
        if (codeOf(error) === "unavailable") throw error;
        log.error("notifier.save_failed", { alert: id, message: messageOf(error) });
      }
    }
  };
  const claim = async (limit: number): Promise<readonly Alert[]> => {
    await flush();
    const alerts = await store.write((tx) =>
      tx.alerts.claim({ leaseMs, limit, grouping: company }),
    );
    return alerts.filter(({ id }) => !unwritten.has(id));
  };
  /** What could be claimed, as far as this process knows. */
  const takeUnclaimed = async (limit: number): Promise<readonly Alert[]> => {
    const now = clock.now();
    const again = [...unwritten.values()]
      .flatMap((settlements) => settlements.slice(-1))
      .flatMap(({ alert, end }) =>
        end.status === "waiting" && end.nextAttemptAt <= now
          ? [{ ...alert, possiblySent: alert.possiblySent || end.possiblySent }]
          : [],
      );
    const due = await store.alerts.listDue(limit + unwritten.size + taken.size);
    const fresh = due.filter(({ id }) => !unwritten.has(id));
    return [...again, ...fresh].map(countAttempt);
  };

  return {
    async claim(limit) {
      let alerts: readonly Alert[];
      try {
        alerts = await claim(limit);
        canClaim = true;
      } catch (error) {
        if (codeOf(error) !== "unavailable") throw error;
        if (canClaim) log.warn("notifier.store_unavailable", { message: messageOf(error) });
        canClaim = false;
        alerts = await takeUnclaimed(limit);
      }
      const held = new Set(unclaimed.values());
      const free = alerts.filter((alert) => !taken.has(alert.id) && !held.has(lineOf(alert)));
      // What a claim took, nobody else can.
      const ours = canClaim ? free : free.slice(0, limit);
      for (const alert of ours) {
        taken.add(alert.id);
        if (!canClaim) unclaimed.set(alert.id, lineOf(alert));
      }
      return ours;
    },
    async finish(settlements) {
      const stories = new Map(
        settlements.map((settlement) => {
          const { id } = settlement.alert;
          return [id, [...(unwritten.get(id) ?? []), settlement]];
        }),
      );
      try {
        await write([...stories.values()]);
        for (const id of stories.keys()) unwritten.delete(id);
      } catch (error) {
        for (const [id, story] of stories) {
          unwritten.set(id, story);
          log.error("notifier.save_failed", { alert: id, message: messageOf(error) });
        }
      }
    },
    release({ id }) {
      taken.delete(id);
      unclaimed.delete(id);
    },
    flush,
    unsaved: () => unwritten.size,
    canClaim: () => canClaim,
  };
}

function lineOf({ checkNo, contactId, addressId }: Alert): string {
  return `${checkNo} ${contactId} ${addressId}`;
}

function countAttempt(alert: Alert): Alert {
  return { ...alert, attempts: alert.attempts + 1 };
}

/** False where the alert was settled already, or somebody else has it meanwhile. */
async function recordAll(
  { alerts, contacts }: Transaction,
  settlements: readonly AlertUpdate[],
): Promise<boolean> {
  let open = true;
  for (const [index, { alert, end, delivery, rendered, addressChange }] of settlements.entries()) {
    const isLast = index === settlements.length - 1;
    // An earlier end only matters for what it says of a message that may have left: settling it as waiting could drop the alert.
    if (isLast || ("possiblySent" in end && end.possiblySent))
      open = await alerts.finishAttempt(alert.id, end, alert);
    if (rendered !== undefined) await alerts.setRendered(alert.id, rendered);
    if (delivery !== undefined) await alerts.addDelivery(delivery);
    if (addressChange !== undefined) await contacts.changeAddressStatus(addressChange);
  }
  return open;
}
