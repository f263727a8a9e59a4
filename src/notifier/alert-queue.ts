import type { Alert } from "../domain/alert/alert.ts";
import { clockOffset, type Clock, forwardStepSince } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Grouping, QueuedAlert, RenderedMessage } from "../store/alerts.ts";
import type { Store } from "../store/store.ts";
import { createAlertUpdates, type AlertUpdate } from "./alert-updates.ts";
import { createAlertChooser, type Chosen } from "./choose-alerts.ts";
import type { Place, Places } from "./slots.ts";

export const leaseMs = 90_000;

/**
 * The alerts that this process has claimed and how they ended: in the store, and in memory while the store cannot commit. So
 * alerts that were committed before go out then too, each once from this process, and their ends are saved afterwards.
 */
export interface AlertQueue {
  /** Claims what has a place to be sent from, each until it is released, and what may share a message with it. */
  readonly claim: () => Promise<readonly Alert[]>;
  /** The one place that claimed alerts which are sent as one message need. */
  readonly placeOf: (alerts: readonly [Alert, ...Alert[]]) => Place;
  /** When the alert is tried for the last time, by the clock as it is now. */
  readonly retryUntil: (alert: Alert) => number;
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
  readonly places: Places;
}

/** Alerts that are claimed at a time; what may share a message with one of them comes on top. */
const MOST_CLAIMED = 2000;
const MOST_GROUPED = 1000;

export function createAlertQueue(deps: AlertQueueDeps): AlertQueue {
  const { store, clock, log, grouping, places } = deps;
  const claimed = createClaimedAlerts(places, clock);
  const updates = createAlertUpdates({ store, clock, log });
  const choose = createAlertChooser({ alerts: store.alerts, places, clock, grouping });
  let canClaim = true;

  /** False where the store cannot commit. */
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
  /** Undefined where the store cannot commit. */
  const claimInStore = async (ids: readonly string[]): Promise<readonly Alert[] | undefined> => {
    let alerts: readonly Alert[] = [];
    const claim = { leaseMs, limit: ids.length, ids, grouping, maxGrouped: MOST_GROUPED };
    const isClaimed = await attemptWrite(async () => {
      alerts = await store.write((tx) => tx.alerts.claim(claim));
    });
    if (!isClaimed) return undefined;
    canClaim = true;
    return alerts.filter(({ id }) => !updates.isUnsaved(id));
  };
  /** What could be claimed, as far as this process knows. */
  const listDue = async (ids: readonly string[]): Promise<readonly Alert[]> => {
    const all = updates.dueAgain(clock.now());
    const bundles = new Set(all.filter(({ id }) => ids.includes(id)).map(({ bundle }) => bundle));
    bundles.delete(undefined);
    const again = all.filter(({ id, bundle }) => ids.includes(id) || bundles.has(bundle));
    const due = await store.alerts.listDue(MOST_GROUPED, ids);
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
      if (claimed.ids.size >= MOST_CLAIMED) return [];
      const { places: chosen, ours, unreachable } = await chooseDue(hasStore);
      const ids = [...chosen.keys()];
      if (hasStore && unreachable.size > 0) await attemptWrite(() => postpone(store, unreachable));
      if (ids.length === 0 && (ours.length === 0 || !hasStore)) return [];
      try {
        // What is ours without a lease gets one, so that nobody else claims it.
        const alerts = hasStore ? await claimInStore([...ids, ...ours]) : undefined;
        const found = alerts ?? (await listDue(ids));
        return claimed.keep(found, chosen, { hasLease: canClaim, offset });
      } catch (error) {
        for (const place of chosen.values()) place.free();
        throw error;
      }
    },
    placeOf: claimed.placeOf,
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

/** The alerts that this process has claimed, until each is released, and their places. */
interface ClaimedAlerts {
  readonly ids: Pick<ReadonlySet<string>, "has" | "size">;
  /** How many have no lease, and so are due by the store. */
  readonly withoutLease: () => number;
  /** Whether it, or an earlier one of its line that has no lease, is claimed. */
  readonly isBlocked: (alert: QueuedAlert) => boolean;
  /** Keeps what it may of what was claimed, gives that, and frees the places of all others. */
  readonly keep: (
    alerts: readonly Alert[],
    places: ReadonlyMap<string, Place>,
    claim: Claim,
  ) => readonly Alert[];
  /** When the alert is tried for the last time, by the clock as it is now; it may have been set forward since the claim. */
  readonly retryUntil: (alert: Alert) => number;
  /** The one place that alerts which are sent as one message need. */
  readonly placeOf: (alerts: readonly [Alert, ...Alert[]]) => Place;
  readonly release: (alert: Alert) => void;
}

interface Claim {
  readonly hasLease: boolean;
  /** Of the clock, before the claim. */
  readonly offset: number;
}

function createClaimedAlerts(
  allPlaces: Pick<Places, "take">,
  clock: Pick<Clock, "now" | "monotonic">,
): ClaimedAlerts {
  /** By alert the offset of the clock before it was claimed. */
  const ids = new Map<string, number>();
  /** By alert that has no lease its line: no later alert of that may go out before it ends. */
  const withoutLease = new Map<string, string>();
  /** Until they are sent. */
  const places = new Map<string, Place>();

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
      for (const [id, place] of chosen) {
        if (kept.has(id)) places.set(id, place);
        else place.free();
      }
      return ours;
    },
    retryUntil({ id, retryUntil }) {
      const offset = ids.get(id);
      return offset === undefined ? retryUntil : retryUntil + forwardStepSince(clock, offset);
    },
    placeOf(alerts) {
      const theirs = new Set(alerts.flatMap(({ id }) => places.get(id) ?? []));
      const [place = allPlaces.take(alerts[0]), ...others] = theirs;
      for (const other of others) other.free();
      for (const { id } of alerts) places.delete(id);
      return place;
    },
    release({ id }) {
      ids.delete(id);
      withoutLease.delete(id);
      places.get(id)?.free();
      places.delete(id);
    },
  };
}

/** Alerts of one line go out one after the other. */
function lineOf({ checkNo, contactId, addressId }: QueuedAlert): string {
  return `${checkNo} ${contactId} ${addressId}`;
}
