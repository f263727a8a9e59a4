import { mayBeGrouped } from "../domain/alert/alert-grouping.ts";
import type { Clock } from "../kit/clock.ts";
import type { Reads } from "../store/store.ts";
import type { AlertQueueKey, Grouping, QueuedAlert } from "../store/tables/alerts.ts";
import { kindOf, type SendSlot, type SendSlots } from "./slots.ts";

export interface Choice {
  /** Whether it is under way or has ended here, though the store takes it for due. */
  readonly isOurs: (alert: QueuedAlert) => boolean;
  /** Whether an earlier one of its line is under way without a lease. */
  readonly isBlocked: (alert: QueuedAlert) => boolean;
  /** At most so many are ours. */
  readonly hidden: number;
  /** What is due and the store does not know to be. */
  readonly more: readonly QueuedAlert[];
}

export interface Chosen {
  /** By alert. */
  readonly slots: ReadonlyMap<string, SendSlot>;
  /** What was found to be ours. */
  readonly ours: readonly string[];
  /** What waits until its destination is probed again, by how long that is. */
  readonly unreachable: ReadonlyMap<number, readonly QueuedAlert[]>;
}

interface ChooserDeps {
  readonly alerts: Pick<Reads["alerts"], "listQueued" | "walkQueues">;
  readonly slots: SendSlots;
  readonly clock: Pick<Clock, "now">;
  readonly grouping: Grouping;
}

const MOST_CHOSEN = 64;
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
  /** What may go in one message counts once. */
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
      // What is over is claimed without its turn, so that it ends.
      slots.isAway(alert) && alert.retryUntil <= now ? slots.take(alert) : slots.claim(alert);
    let open = [...queues.values()]
      .map((queue) => ({ queue, served: slots.lastServed(queue[0] ?? noQueue) }))
      .toSorted((one, other) => one.served - other.served)
      .map(({ queue }) => inTurn(queue, slots).values());
    const chosen = new Map<string, SendSlot>();
    const chosenMessages = new Set<string>();
    while (open.length > 0) {
      open = open.filter((queue) => {
        if (chosen.size >= MOST_CHOSEN) return false;
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
    return { slots: chosen, ours: ours.slice(0, MOST_CHOSEN), unreachable };
  };
}

/** In order; while the destination is away, those that were tried least come first, so that no failing URL of a host keeps others from it. */
function inTurn(queue: readonly QueuedAlert[], slots: SendSlots): readonly QueuedAlert[] {
  const [first] = queue;
  const isAway = first !== undefined && slots.isAway(first);
  return queue.toSorted((one, other) =>
    isAway ? one.attempts - other.attempts : one.dueAt - other.dueAt,
  );
}

const noQueue: AlertQueueKey = { accountId: "", destination: "" };
