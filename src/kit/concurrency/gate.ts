import type { Clock } from "../clock.ts";
import { Unavailable } from "../errors.ts";
import { createSlotCounts, type SharedKeys } from "./slot-counts.ts";
import { createRoundRobinQueue } from "./round-robin-queue.ts";

/** Lets few at a time work. Those who wait take turns by account, and an account has as many places as it leaves for all others. */
export interface Gate {
  /** Works when it is the account's turn. Rejects with Unavailable where that does not come in time. What is `brief` holds up the next for one turn of the event loop, and only one that waits already. */
  readonly run: <Value>(
    accountId: string,
    work: () => Promise<Value>,
    kind?: "brief",
  ) => Promise<Value>;
}

interface Limits {
  readonly most: number;
  /** Of one account; more are refused. */
  readonly mostWaiting: number;
  readonly maxWaitMs: number;
  /** What a refusal says. */
  readonly refusal: string;
  /** turns of the event loop before the next begins, of work that is done in it: on an idle machine they take no time. */
  readonly turnsBetween?: number;
}

interface Waiter {
  readonly begin: () => void;
}

export function createGate(clock: Pick<Clock, "setTimer">, limits: Limits): Gate {
  const places = createSlotCounts();
  const turns = createRoundRobinQueue<Waiter>();

  const mayBegin = (accountId: string): boolean =>
    // guard: places of a gate by account = true
    !places.exceedsFairShare(runningKeys(accountId), limits.most);
  const advance = (): void => {
    for (;;) {
      const waiter = turns.take(([accountId = ""]) => mayBegin(accountId));
      if (waiter === undefined) return;
      waiter.begin();
    }
  };
  const refuse = (): Unavailable => new Unavailable(limits.refusal);

  /** Resolves once the place is taken. */
  const enter = (accountId: string): Promise<void> => {
    if (places.countOf(waitingKey(accountId)) >= limits.mostWaiting)
      return Promise.reject(refuse());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = clock.setTimer(() => {
      turns.remove([accountId], waiter);
      places.change([waitingKey(accountId)], -1);
      reject(refuse());
    }, limits.maxWaitMs);
    const waiter: Waiter = {
      begin() {
        timer.cancel();
        places.change([waitingKey(accountId)], -1);
        places.change(runningKeys(accountId), 1);
        resolve();
      },
    };
    places.change([waitingKey(accountId)], 1);
    turns.add([accountId], waiter);
    advance();
    return promise;
  };

  const leave = (accountId: string): void => {
    places.change(runningKeys(accountId), -1);
    advance();
  };

  return {
    async run(accountId, work, kind) {
      await enter(accountId);
      try {
        return await work();
      } finally {
        const { turnsBetween = 0 } = limits;
        const waiting = Math.min(turns.size(), 1, turnsBetween);
        afterTurns(kind === "brief" ? waiting : turnsBetween, () => leave(accountId));
      }
    },
  };
}

/** Calls it at once where there are none. */
function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else setImmediate(afterTurns, turns - 1, then);
}

function runningKeys(accountId: string): SharedKeys {
  return ["running", `running ${accountId}`];
}

function waitingKey(accountId: string): string {
  return `waiting ${accountId}`;
}
