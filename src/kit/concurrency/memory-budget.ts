import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createSlotCounts, type SlotCounts, type SharedKeys } from "./slot-counts.ts";
import { createRoundRobinQueue, type RoundRobinQueue } from "./round-robin-queue.ts";

/** Memory for what many runs receive at once. An account has at most as much as it leaves for all others. */
export interface MemoryBudget {
  readonly open: (accountId: string) => MemoryReservation;
  /** Whether so many of the account wait for their first that no more of it should begin. */
  readonly isCrowded: (accountId: string) => boolean;
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
  /** How many wait for their first, each with what it has received already. */
  readonly mostWaiting: number;
  /** Of those that have some and need more: they hold what others wait for. Those that have none wait until they are released. */
  readonly maxWaitMs: number;
  /** What a refusal says. */
  readonly refusal: string;
}

interface Waiter {
  /** True where it has what it needs now. */
  readonly begin: () => boolean;
}

/** With so many of its own that wait an account should begin no more, whatever others have; those that have begun may still come. */
const SHARE_OF_CROWD = 0.125;
/** Half of the memory is for those that have some: whoever begins leaves it to them, so that they can end. */
const SHARE_OF_FIRST = 0.5;

export function createMemoryBudget(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  limits: Limits,
): MemoryBudget {
  const held = createSlotCounts();
  const [growing, first] = [createRoundRobinQueue<Waiter>(), createRoundRobinQueue<Waiter>()];
  const serve = (): void => {
    for (const turns of [growing, first])
      while (turns.take((_, waiter) => waiter === undefined || waiter.begin()) !== undefined);
  };
  const budget = { clock, limits, held, growing, first, serve };
  return {
    open: (accountId) => openLazily(() => openReservation(budget, accountId)),
    isCrowded: (accountId) =>
      held.countOf(keysOf("waiting", accountId)[1]) >= limits.mostWaiting * SHARE_OF_CROWD,
  };
}

interface Budget {
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  readonly limits: Limits;
  readonly held: SlotCounts;
  /** Those that wait for more, and those that wait for their first. */
  readonly growing: RoundRobinQueue<Waiter>;
  readonly first: RoundRobinQueue<Waiter>;
  /** Lets begin who can now. */
  readonly serve: () => void;
}

/** Most runs receive too little to reserve anything, and a reservation takes 1 KB. */
function openLazily(open: () => MemoryReservation): MemoryReservation {
  let opened: MemoryReservation | undefined;
  let isReleased = false;
  return {
    grow(bytes) {
      if (isReleased) return undefined;
      opened ??= open();
      return opened.grow(bytes);
    },
    waitedMs: () => opened?.waitedMs() ?? 0,
    release() {
      isReleased = true;
      opened?.release();
    },
  };
}

function openReservation(
  { clock: { monotonic, setTimer }, limits, held, growing, first, serve }: Budget,
  accountId: string,
): MemoryReservation {
  const { mostBytes, mostWaiting, maxWaitMs, refusal } = limits;
  const [all, firsts] = [keysOf("all", accountId), keysOf("first", accountId)];
  const crowd = keysOf("waiting", accountId);
  let [own, ownFirst, waitedMs] = [0, 0, 0];
  let waiting: { readonly since: number; readonly leave: () => void } | undefined;

  const take = (bytes: number): boolean => {
    const more = bytes - own;
    const isFirst = own === 0;
    // guard: memory of responses
    if (held.exceedsFairShare(all, mostBytes, more)) return false;
    if (isFirst && held.exceedsFairShare(firsts, mostBytes * SHARE_OF_FIRST, more)) return false;
    held.change(all, more);
    own = bytes;
    if (isFirst) {
      held.change(firsts, more);
      ownFirst = more;
    }
    return true;
  };
  const wait = (bytes: number): Promise<void> => {
    const isFirst = own === 0;
    // guard: runs that wait for memory
    if (isFirst && held.exceedsFairShare(crowd, mostWaiting))
      return Promise.reject(new Unavailable(refusal));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const turns = isFirst ? first : growing;
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
      if (isFirst) held.change(crowd, -1);
    };
    const leave = (): void => {
      end();
      turns.remove([accountId], waiter);
    };
    const refuse = (): void => {
      leave();
      reject(new Unavailable(refusal));
    };
    const timer = isFirst ? undefined : setTimer(refuse, maxWaitMs);
    const since = monotonic();
    if (isFirst) held.change(crowd, 1);
    waiting = { since, leave };
    turns.add([accountId], waiter);
    return promise;
  };

  return {
    grow: (bytes) => (bytes <= own || take(bytes) ? undefined : wait(bytes)),
    waitedMs: () => waitedMs + (waiting === undefined ? 0 : monotonic() - waiting.since),
    release() {
      waiting?.leave();
      if (own === 0) return;
      held.change(all, -own);
      held.change(firsts, -ownFirst);
      [own, ownFirst] = [0, 0];
      serve();
    },
  };
}

function keysOf(what: string, accountId: string): SharedKeys {
  return [what, `${what} ${accountId}`];
}
