import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createPlaceCounts } from "./place-counts.ts";
import type { SharedKeys } from "./place-counts.ts";
import { createTurns } from "./turns.ts";

/** Memory for what many runs receive at once. An account has at most as much as it leaves for all others. */
export interface MemoryBudget {
  readonly open: (accountId: string) => MemoryReservation;
}

export interface MemoryReservation {
  /** Enlarges the reservation to so many bytes; a promise where it has to wait for its turn, which rejects with Unavailable if that does not come in time. */
  readonly grow: (bytes: number) => Promise<void> | undefined;
  /** How long it has waited so far. */
  readonly waitedMs: () => number;
  /** Returns all of it, and waits no longer. */
  readonly release: () => void;
}

interface Limits {
  readonly mostBytes: number;
  /** Of those that have some and need more: they hold what others wait for. Those that have none wait until they are released. */
  readonly maxWaitMs: number;
  /** What a refusal says. */
  readonly refusal: string;
}

interface Waiter {
  /** True where it has what it needs now. */
  readonly begin: () => boolean;
}

/** Half of the memory is for those that have some: whoever begins leaves it to them, so that they can end. */
const SHARE_OF_FIRST = 0.5;

export function createMemoryBudget(
  { monotonic, setTimer }: Pick<Clock, "monotonic" | "setTimer">,
  { mostBytes, maxWaitMs, refusal }: Limits,
): MemoryBudget {
  const held = createPlaceCounts();
  const [growing, first] = [createTurns<Waiter>(), createTurns<Waiter>()];
  const serve = (): void => {
    for (const turns of [growing, first])
      while (turns.take((_, waiter) => waiter === undefined || waiter.begin()) !== undefined);
  };

  const open = (accountId: string): MemoryReservation => {
    const [all, firsts] = [keysOf("all", accountId), keysOf("first", accountId)];
    let [own, ownFirst, waitedMs] = [0, 0, 0];
    let isReleased = false;
    let waiting: { readonly since: number; readonly leave: () => void } | undefined;

    const take = (bytes: number): boolean => {
      const more = bytes - own;
      const isFirst = own === 0;
      if (held.isShareTaken(all, mostBytes, more)) return false;
      if (isFirst && held.isShareTaken(firsts, mostBytes * SHARE_OF_FIRST, more)) return false;
      held.change(all, more);
      own = bytes;
      if (isFirst) {
        held.change(firsts, more);
        ownFirst = more;
      }
      return true;
    };
    const wait = (bytes: number): Promise<void> => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const turns = own === 0 ? first : growing;
      const waiter: Waiter = {
        begin() {
          if (!take(bytes)) return false;
          end();
          resolve();
          return true;
        },
      };
      const end = (): void => {
        waitedMs += monotonic() - since;
        waiting = undefined;
        timer?.cancel();
      };
      const leave = (): void => {
        end();
        turns.remove([accountId], waiter);
      };
      const refuse = (): void => {
        leave();
        reject(new Unavailable(refusal));
      };
      const timer = own === 0 ? undefined : setTimer(refuse, maxWaitMs);
      const since = monotonic();
      waiting = { since, leave };
      turns.add([accountId], waiter);
      return promise;
    };

    return {
      grow: (bytes) => (isReleased || bytes <= own || take(bytes) ? undefined : wait(bytes)),
      waitedMs: () => waitedMs + (waiting === undefined ? 0 : monotonic() - waiting.since),
      release() {
        isReleased = true;
        waiting?.leave();
        if (own === 0) return;
        held.change(all, -own);
        held.change(firsts, -ownFirst);
        [own, ownFirst] = [0, 0];
        serve();
      },
    };
  };
  return { open };
}

function keysOf(what: string, accountId: string): SharedKeys {
  return [what, `${what} ${accountId}`];
}
