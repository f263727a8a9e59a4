import { createRoundRobinQueue } from "../../kit/concurrency/round-robin-queue.ts";
import type { RunHold, RunSlot, RunSlots } from "./run-slots.ts";
import { laneOf, type RunShare } from "./run-share.ts";

interface Deps<Item> {
  readonly slots: RunSlots;
  /** How many start between two turns, so that many that are due together do not stall the event loop. */
  readonly maxStartsPerTurn: number;
  /** Called once each time an item is added. */
  readonly shareOf: (item: Item) => RunShare;
  readonly begin: (item: Item, tick: number, slot: RunSlot) => void;
  /** Called if an item cannot start immediately. */
  readonly held: (hold: RunHold | "turn") => void;
}

/** Items that are due: a limited number runs at once, the others wait. Primary accounts take turns, then the accounts of each, and the hosts of each account. No FairSemaphore, because a later tick replaces one that waits. */
export interface RunQueue<Item> {
  /** Starts the tick of the item, or queues it. Returns the waiting tick that it replaces: only the latest is run. */
  readonly add: (item: Item, tick: number) => number | undefined;
  /** Ends the item's wait. */
  readonly remove: (item: Item) => void;
  /** The run that began in that slot is over. */
  readonly finished: (slot: RunSlot) => void;
  /** `most` is the maximum number of runs started in the turn. */
  readonly nextTurn: (most?: number) => void;
  readonly clear: () => void;
  readonly size: () => number;
}

/** A run that waits. */
interface Asked {
  readonly tick: number;
  readonly share: RunShare;
}

export function createRunQueue<Item extends object>(deps: Deps<Item>): RunQueue<Item> {
  const { slots, maxStartsPerTurn, shareOf, begin, held } = deps;
  const asked = new Map<Item, Asked>();
  const waiting = createRoundRobinQueue<Item>();
  let left = maxStartsPerTurn;

  const isHeld = (share: RunShare): boolean =>
    (slots.holdOfAccount(share.primaryId) ?? slots.holdOfShare(share)) !== undefined;
  const mayBegin = ([primaryId = ""]: readonly string[], item: Item | undefined): boolean => {
    const share = item && asked.get(item)?.share;
    return share === undefined
      ? slots.holdOfAccount(primaryId) === undefined
      : slots.holdOfShare(share) === undefined;
  };
  const beginNow = (item: Item, { tick, share }: Asked): void => {
    left -= 1;
    begin(item, tick, slots.take(share));
  };
  const advance = (): void => {
    while (left > 0 && waiting.size() > 0) {
      const item = waiting.take(mayBegin);
      if (item === undefined) return;
      const found = asked.get(item);
      asked.delete(item);
      if (found !== undefined) beginNow(item, found);
    }
  };
  const holdOf = (share: RunShare): RunHold | "turn" =>
    left === 0
      ? "turn"
      : (slots.holdOfAccount(share.primaryId) ?? slots.holdOfShare(share) ?? "turn");

  return {
    add(item, tick) {
      const share = shareOf(item);
      if (left > 0 && waiting.size() === 0 && !isHeld(share)) {
        beginNow(item, { tick, share });
        return undefined;
      }
      const overtaken = asked.get(item)?.tick;
      asked.set(item, { tick, share });
      waiting.add(pathOf(share), item);
      advance();
      if (overtaken === undefined && asked.has(item)) held(holdOf(share));
      return overtaken;
    },
    remove(item) {
      const found = asked.get(item);
      if (found !== undefined) waiting.remove(pathOf(found.share), item);
      asked.delete(item);
    },
    finished(slot) {
      slot.free();
      advance();
    },
    nextTurn(most = maxStartsPerTurn) {
      left = most;
      slots.setSlowApart();
      advance();
    },
    clear() {
      asked.clear();
      waiting.clear();
    },
    size: waiting.size,
  };
}

function pathOf(share: RunShare): readonly string[] {
  return [share.primaryId, share.accountId, laneOf(share)];
}
