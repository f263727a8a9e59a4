import type { Alert } from "../domain/alert/alert.ts";
import { forwardStepSince, type Clock } from "../kit/clock.ts";
import type { QueuedAlert } from "../store/alerts.ts";
import type { Place, Places } from "./slots.ts";

/** The alerts that this process has claimed, until each is released, and their places. */
export interface ClaimedAlerts {
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

export function createClaimedAlerts(
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
