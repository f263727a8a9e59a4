import type { Clock } from "../../../kit/clock.ts";
import { createFairSemaphore } from "../../../kit/concurrency/fair-semaphore.ts";
import type { ResponseBody } from "../../operation.ts";
import { isJsonStream } from "../responses/json-stream.ts";

/** Requests in progress, which accounts share: an account has as many as it leaves for all others. */
export interface FairRequests {
  /** Works when it is the account's turn. Rejects with Unavailable where that does not come in time. */
  readonly run: (accountId: string, work: () => Promise<ResponseBody>) => Promise<ResponseBody>;
}

/** Room for 128 clients of one account, whose writes share commits. */
const REQUESTS = {
  slots: 256,
  maxWaiting: 1024,
  maxWaitMs: 10_000,
  refusal: "too many requests of this account are in progress",
};
/** Of long responses one piece at a time: a page of a list, which takes some 10 ms. */
const PIECES = {
  slots: 1,
  maxWaitMs: 60_000,
  refusal: "too many long responses are in progress",
};
/** Turns of the event loop after each piece, for everything else: on an idle machine they take no time. */
const TURNS_BETWEEN_PIECES = 4;

export function createFairRequests(clock: Clock): FairRequests {
  const requests = createFairSemaphore(clock, REQUESTS);
  const pieces = createFairSemaphore(clock, PIECES);

  /** Accounts take turns for the pieces of a long response. */
  const inTurns = (accountId: string, body: ResponseBody): ResponseBody => {
    if (!isJsonStream(body)) return body;
    const source = body[Symbol.asyncIterator]();
    let isFirst = true;
    const nextPiece = async (): Promise<IteratorResult<string>> => {
      // guard: pieces of long responses
      await pieces.acquire(accountId);
      try {
        return await source.next();
      } finally {
        // A client that closes its side after a request gets no more than is sent until that is seen: a list of one piece goes at once.
        const turns = isFirst ? Math.min(pieces.waiting(), 1) : TURNS_BETWEEN_PIECES;
        isFirst = false;
        afterTurns(turns, () => pieces.release(accountId));
      }
    };
    return {
      ...body,
      [Symbol.asyncIterator]: () => ({
        next: nextPiece,
        return: async () => {
          await source.return?.();
          return { done: true, value: undefined };
        },
      }),
    };
  };

  return {
    run: (accountId, work) =>
      requests.run(/* guard: requests of an account in progress = "" */ accountId, async () =>
        inTurns(accountId, await work()),
      ),
  };
}

/** Calls `then` immediately if there are no turns to wait for. */
function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then();
  else setImmediate(afterTurns, turns - 1, then);
}
