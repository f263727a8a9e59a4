import type { Alert } from "../domain/alert/alert.ts";
import { clockOffset, type Clock, forwardStepSince } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Store } from "../store/store.ts";
import type { Grouping, QueuedAlert, RenderedMessage } from "../store/tables/alerts.ts";
import { createAlertUpdates, type AlertUpdate } from "./alert-updates.ts";
import { createAlertChooser, type Chosen } from "./choose-alerts.ts";
import type { SendSlot, SendSlots } from "./send-slots.ts";

export const leaseMs = 90_000;

/**
 * The alerts that this process has claimed and how they ended: in the store, and in memory while the store cannot commit. So
 * alerts that were committed before go out then too, each once from this process, and their ends are saved afterwards.
 */
export interface AlertQueue {
  /** Claims what has a slot to be sent from, each until it is released, and what may share a message with it. */
  readonly claim: () => Promise<readonly Alert[]>;
  /** The one slot that claimed alerts which are sent as one message need. */
  readonly slotOf: (alerts: readonly [Alert, ...Alert[]]) => SendSlot;
  /** Time of the last attempt, by the current clock. */
  readonly retryUntil: (alert: Alert) => number;
  /** Saves all updates, or none for now. */
  readonly finish: (updates: readonly AlertUpdate[]) => Promise<void>;
  readonly release: (alert: Alert) => void;
  /** Rendered messages of earlier attempts, by alert. */
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
  readonly slots: SendSlots;
}

/** Alerts that are claimed at a time; what may share a message with one of them comes on top. */
const MAX_CLAIMED = 2000;
const MAX_GROUPED = 1000;

export function createAlertQueue(deps: AlertQueueDeps): AlertQueue {
  const { store, clock, log, grouping, slots } = deps;
  const claimed = createClaimedAlerts(slots, clock);
  const updates = createAlertUpdates({ store, clock, log });
  const choose = createAlertChooser({ alerts: store.alerts, slots, clock, grouping });
  let canClaim = true;

  /** False if the store cannot commit. */
  const attemptWrite = async (write: () => Promise<void>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      if (codeOf(error) !== "unavailable") throw error;
      if (canClaim) log.warn("notifier.store_unavailable", { message: messageOf(error) });
      canClaim = false;
      return false;
    }
  };
  /** Undefined if the store cannot commit. */
  const claimInStore = async (ids: readonly string[]): Promise<readonly Alert[] | undefined> => {
    let alerts: readonly Alert[] = [];
    const claim = { leaseMs, limit: ids.length, ids, grouping, maxGrouped: MAX_GROUPED };
    const isClaimed = await attemptWrite(async () => {
      alerts = await store.write((tx) => tx.alerts.claim(claim));
    });
    if (!isClaimed) return undefined;
    canClaim = true;
    return alerts.filter(({ id }) => !updates.isUnsaved(id));
  };
  /** Lists alerts that could be claimed, as far as this process knows. */
  const listDue = async (ids: readonly string[]): Promise<readonly Alert[]> => {
    const all = updates.dueAgain(clock.now());
    const bundles = new Set(all.filter(({ id }) => ids.includes(id)).map(({ bundle }) => bundle));
    bundles.delete(undefined);
    const again = all.filter(({ id, bundle }) => ids.includes(id) || bundles.has(bundle));
    const due = await store.alerts.listDue(MAX_GROUPED, ids);
    const fresh = due.filter(({ id }) => !updates.isUnsaved(id));
    return [...again, ...fresh].map(countAttempt);
  };
  const chooseDue = (hasStore: boolean): Promise<Chosen> => {
    const again = hasStore ? [] : updates.dueAgain(clock.now());
    return choose({
      isOurs: ({ id }) => claimed.ids.has(id) || updates.isUnsaved(id),
      isBlocked: claimed.isBlocked,
      hidden: claimed.withoutLease() + updates.unsaved(),
      more: again.filter((alert) => !claimed.isBlocked(alert)),
    });
  };

  return {
    async claim() {
      const offset = clockOffset(clock);
      const hasStore = await attemptWrite(() => updates.flush(claimed.ids));
      if (claimed.ids.size >= MAX_CLAIMED) return [];
      const { slots: chosen, ours, unreachable } = await chooseDue(hasStore);
      const ids = [...chosen.keys()];
      if (hasStore && unreachable.size > 0) await attemptWrite(() => postpone(store, unreachable));
      if (ids.length === 0 && (ours.length === 0 || !hasStore)) return [];
      try {
        // Alerts of this process without a lease get one, so that no other process claims them.
        const alerts = hasStore ? await claimInStore([...ids, ...ours]) : undefined;
        const found = alerts ?? (await listDue(ids));
        return claimed.keep(found, chosen, { hasLease: canClaim, offset });
      } catch (error) {
        for (const slot of chosen.values()) slot.free();
        throw error;
      }
    },
    slotOf: claimed.slotOf,
    retryUntil: claimed.retryUntil,
    finish: updates.save,
    release: claimed.release,
    findRendered: async (alertIds) =>
      new Map([...(await store.alerts.findRendered(alertIds)), ...updates.findRendered(alertIds)]),
    flush: () => updates.flush(claimed.ids),
    unsaved: updates.unsaved,
    canClaim: () => canClaim,
  };
}

function countAttempt(alert: Alert): Alert {
  return { ...alert, attempts: alert.attempts + 1 };
}

async function postpone(
  { write }: Pick<Store, "write">,
  unreachable: Chosen["unreachable"],
): Promise<void> {
  await write(async ({ alerts }) => {
    for (const [ms, some] of unreachable) {
      const ids = some.map(({ id }) => id);
      await alerts.awaitReceiver(ids, ms);
    }
  });
}

/** The alerts that this process has claimed, until each is released, and their slots. */
interface ClaimedAlerts {
  readonly ids: Pick<ReadonlySet<string>, "has" | "size">;
  /** How many have no lease, and so are due by the store. */
  readonly withoutLease: () => number;
  /** Whether it, or an earlier one of its line that has no lease, is claimed. */
  readonly isBlocked: (alert: QueuedAlert) => boolean;
  /** Keeps what it may of what was claimed, gives that, and frees the slots of all others. */
  readonly keep: (
    alerts: readonly Alert[],
    slots: ReadonlyMap<string, SendSlot>,
    claim: Claim,
  ) => readonly Alert[];
  /** Time of the last attempt, by the current clock, which may have been set forward since the claim. */
  readonly retryUntil: (alert: Alert) => number;
  /** The one slot that alerts which are sent as one message need. */
  readonly slotOf: (alerts: readonly [Alert, ...Alert[]]) => SendSlot;
  readonly release: (alert: Alert) => void;
}

interface Claim {
  readonly hasLease: boolean;
  /** Offset of the clock before the claim. */
  readonly offset: number;
}

function createClaimedAlerts(
  allSlots: Pick<SendSlots, "take">,
  clock: Pick<Clock, "now" | "monotonic">,
): ClaimedAlerts {
  /** Offset of the clock before each alert was claimed, by alert. */
  const ids = new Map<string, number>();
  /** Queues of alerts without a lease, by alert: no later alert of the queue may be sent before this one ends. */
  const withoutLease = new Map<string, string>();
  /** Until they are sent. */
  const slots = new Map<string, SendSlot>();

  const isBlocked = (alert: QueuedAlert): boolean =>
    ids.has(alert.id) ||
    (withoutLease.size > 0 && [...withoutLease.values()].includes(lineOf(alert)));
  return {
    ids,
    withoutLease: () => withoutLease.size,
    isBlocked,
    keep(alerts, chosen, { hasLease, offset }) {
      const ours = alerts.filter((alert) => !isBlocked(alert));
      for (const alert of ours) {
        ids.set(alert.id, offset);
        if (!hasLease) withoutLease.set(alert.id, lineOf(alert));
      }
      const kept = new Set(ours.map(({ id }) => id));
      for (const [id, slot] of chosen) {
        if (kept.has(id)) slots.set(id, slot);
        else slot.free();
      }
      return ours;
    },
    retryUntil({ id, retryUntil }) {
      const offset = ids.get(id);
      return offset === undefined ? retryUntil : retryUntil + forwardStepSince(clock, offset);
    },
    slotOf(alerts) {
      const theirs = new Set(alerts.flatMap(({ id }) => slots.get(id) ?? []));
      const [slot = allSlots.take(alerts[0]), ...others] = theirs;
      for (const other of others) other.free();
      for (const { id } of alerts) slots.delete(id);
      return slot;
    },
    release({ id }) {
      ids.delete(id);
      withoutLease.delete(id);
      slots.get(id)?.free();
      slots.delete(id);
    },
  };
}

/** Alerts of one line go out one after the other. */
function lineOf({ checkNo, contactId, addressId }: QueuedAlert): string {
  return `${checkNo} ${contactId} ${addressId}`;
}
