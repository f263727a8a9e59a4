import { mayBeGrouped } from "../domain/alert/alert-grouping.ts";
import type { Clock } from "../kit/clock.ts";
import type { Reads } from "../store/store.ts";
import type { AlertQueueKey, Grouping, QueuedAlert } from "../store/tables/alerts.ts";
import { kindOf, type SendSlot, type SendSlots } from "./send-slots.ts";

export interface Choice {
  /** Whether it is in flight or has ended here, although the store considers it due. */
  readonly isOurs: (alert: QueuedAlert) => boolean;
  /** Whether an earlier alert of its queue is in flight without a lease. */
  readonly isBlocked: (alert: QueuedAlert) => boolean;
  /** Maximum alerts that this process may hold. */
  readonly hidden: number;
  /** Due alerts that the store does not know to be due. */
  readonly more: readonly QueuedAlert[];
}

export interface Chosen {
  /** Slots by alert. */
  readonly slots: ReadonlyMap<string, SendSlot>;
  /** IDs of alerts that turned out to belong to this process. */
  readonly ours: readonly string[];
  /** Alerts that wait until their destination is probed again, by the remaining time. */
  readonly unreachable: ReadonlyMap<number, readonly QueuedAlert[]>;
}

interface ChooserDeps {
  readonly alerts: Pick<Reads["alerts"], "listQueued" | "walkQueues">;
  readonly slots: SendSlots;
  readonly clock: Pick<Clock, "now">;
  readonly grouping: Grouping;
}

const MAX_CHOSEN = 64;
const OLDEST = 256;
const QUEUES = 256;

/** Chooses which due alerts to claim: those that have a slot to be sent from, each queue in its turn. */
export function createAlertChooser({
  alerts,
  slots,
  clock,
  grouping,
}: ChooserDeps): (choice: Choice) => Promise<Chosen> {
  let after: AlertQueueKey | undefined;

  /** The oldest, and the oldest of further queues where these are not all, however many may not be sent now. */
  const search = async (hidden: number): Promise<readonly QueuedAlert[]> => {
    const limit = OLDEST + hidden;
    const oldest = await alerts.listQueued(limit);
    if (oldest.length < limit) return oldest;
    const walk = await alerts.walkQueues({ after, limit: QUEUES });
    ({ after } = walk);
    return [...oldest, ...walk.due];
  };
  /** Alerts that may share a message count once. */
  const messageOf = (alert: QueuedAlert): string => {
    const { id, destination, contactId, addressId, bundle } = alert;
    if (bundle !== undefined) return bundle;
    const isGrouped = mayBeGrouped(alert, grouping.get(kindOf(destination)));
    return isGrouped ? `${contactId} ${addressId}` : id;
  };

  return async ({ isOurs, isBlocked, hidden, more }) => {
    const ours: string[] = [];
    const found: QueuedAlert[] = [];
    const messages = new Map<string, QueuedAlert>();
    const add = (alert: QueuedAlert): void => {
      found.push(alert);
      const message = messageOf(alert);
      if (!messages.has(message)) messages.set(message, alert);
    };
    more.forEach(add);
    for (const alert of await search(hidden)) {
      if (isOurs(alert)) ours.push(alert.id);
      else if (!isBlocked(alert)) add(alert);
    }
    const queues = Map.groupBy(
      messages.values(),
      ({ accountId, destination }) => `${accountId} ${destination}`,
    );
    const now = clock.now();
    const slotFor = (alert: QueuedAlert): SendSlot | undefined =>
      // An expired alert is claimed out of turn, so that it ends.
      slots.isAway(alert) && alert.retryUntil <= now ? slots.take(alert) : slots.claim(alert);
    let open = [...queues.values()]
      .map((queue) => ({ queue, served: slots.lastServed(queue[0] ?? noQueue) }))
      .toSorted((one, other) => one.served - other.served)
      .map(({ queue }) => inTurn(queue, slots).values());
    const chosen = new Map<string, SendSlot>();
    const chosenMessages = new Set<string>();
    while (open.length > 0) {
      open = open.filter((queue) => {
        if (chosen.size >= MAX_CHOSEN) return false;
        const { value: alert } = queue.next();
        const slot = alert && slotFor(alert);
        if (alert === undefined || slot === undefined) return false;
        chosen.set(alert.id, slot);
        chosenMessages.add(messageOf(alert));
        return true;
      });
    }
    const left = found.filter((alert) => !chosenMessages.has(messageOf(alert)));
    const unreachable = Map.groupBy(left, slots.msUntilProbe);
    unreachable.delete(0);
    return { slots: chosen, ours: ours.slice(0, MAX_CHOSEN), unreachable };
  };
}

/**
 * Returns alerts in order; while the destination is unreachable, those with the fewest attempts come first, so that one failing URL of a host does not block
 * others.
 */
function inTurn(queue: readonly QueuedAlert[], slots: SendSlots): readonly QueuedAlert[] {
  const [first] = queue;
  const isAway = first !== undefined && slots.isAway(first);
  return queue.toSorted((one, other) =>
    isAway ? one.attempts - other.attempts : one.dueAt - other.dueAt,
  );
}

const noQueue: AlertQueueKey = { accountId: "", destination: "" };
